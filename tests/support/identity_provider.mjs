// An OpenID Connect provider for tests: oidc-provider with accounts in a file, and a page to
// sign in. What a file of lies says replaces claims of its ID tokens and of its user info.
import { createSign, generateKeyPairSync } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import Provider from "oidc-provider";

const METHODS = { survey: "client_secret_basic", posting: "client_secret_post", public: "none" };
const { port, accounts, lies, issued, callbacks, secret, sends_all, client } = JSON.parse(process.argv[2]);
const address = `http://127.0.0.1:${port}`;
const honest = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const strange = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const read = (path) => JSON.parse(readFileSync(path, "utf8"));

const method = METHODS[client];
const provider = new Provider(address, {
  clients: [
    {
      client_id: client,
      ...(method === "none" ? {} : { client_secret: secret }),
      token_endpoint_auth_method: method,
      redirect_uris: callbacks,
      grant_types: ["authorization_code"],
    },
  ],
  clientAuthMethods: [method],
  jwks: { keys: [{ ...honest.export({ format: "jwk" }), kid: "honest", use: "sig", alg: "RS256" }] },
  cookies: { keys: ["for tests"] },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "department"] },
  conformIdTokenClaims: !sends_all,
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_, sub) => {
    const found = read(accounts)[sub];
    return found && { accountId: sub, claims: () => ({ sub, ...found }) };
  },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

provider.use(async (ctx, next) => {
  if (ctx.path.startsWith("/interaction/")) await interact(ctx);
  else await next();
  if (ctx.path === "/token") appendFileSync(issued, `${JSON.stringify(ctx.body)}\n`);
  if (ctx.path === "/token") ctx.body = { ...ctx.body, ...read(lies).token };
  if (ctx.path === "/token" && ctx.body?.id_token) ctx.body.id_token = lied(ctx.body.id_token);
  if (ctx.path === "/me" && ctx.status === 200) ctx.body = { ...ctx.body, ...read(lies).info };
  if (ctx.path.startsWith("/.well-known/")) ctx.body = { ...ctx.body, ...read(lies).described };
  const raw = read(lies).raw?.[ctx.path];
  if (raw !== undefined) ctx.body = Buffer.from(raw);
});

async function interact(ctx) {
  if (ctx.method === "GET") {
    ctx.type = "html";
    ctx.body = `<!doctype html><title>Accounts</title><form method="post">
      <label>Account <input name="account" autofocus></label>
      <button>Sign in</button><button name="cancel" value="yes">Cancel</button></form>`;
    return;
  }
  const pieces = [];
  for await (const piece of ctx.req) pieces.push(piece);
  const sent = new URLSearchParams(Buffer.concat(pieces).toString());
  const result = sent.has("cancel")
    ? { error: "access_denied" }
    : { login: { accountId: sent.get("account") } };
  ctx.respond = false;
  await provider.interactionFinished(ctx.req, ctx.res, result);
}

/** An ID token with the lies of this moment, signed with the provider's key or another one. */
function lied(token) {
  const { claims, header, has_strange_key } = read(lies);
  if (!claims && !header && !has_strange_key) return token;
  const [first, second] = token.split(".").map((part) => Buffer.from(part, "base64url").toString());
  const parts = [
    { ...JSON.parse(first), ...header },
    { ...JSON.parse(second), ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signed = parts.join(".");
  if (header?.alg === "none") return `${signed}.`;
  const signature = createSign("RSA-SHA256").update(signed).sign(has_strange_key ? strange : honest);
  return `${signed}.${signature.toString("base64url")}`;
}

provider.listen(port, "127.0.0.1", () => console.log(address));
