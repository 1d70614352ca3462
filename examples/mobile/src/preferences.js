/** The system's key-value storage: Capacitor's Preferences in the app. */

/**
 * What is used of it.
 *
 * @typedef {object} Preferences
 * @property {(named: { key: string }) => Promise<{ value: string | null }>} get
 * @property {(named: { key: string, value: string }) => Promise<void>} set
 * @property {(named: { key: string }) => Promise<void>} remove
 * @property {() => Promise<{ keys: string[] }>} keys
 */

/** @type {Preferences} in a browser, while you develop. */
const standIn = {
  get: async ({ key }) => ({ value: localStorage.getItem(key) }),
  set: async ({ key, value }) => localStorage.setItem(key, value),
  remove: async ({ key }) => localStorage.removeItem(key),
  keys: async () => ({ keys: Object.keys(localStorage) }),
};

const app = /** @type {{ Capacitor?: { Plugins?: { Preferences?: Preferences } } }} */ (globalThis);

export const preferences = app.Capacitor?.Plugins?.Preferences ?? standIn;
