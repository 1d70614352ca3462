/** A base class that is given its fields by name; listing each again would make the SDK larger. */
export class Fields {
  /** @param {object} fields */
  constructor(fields) {
    Object.assign(this, fields);
  }
}
