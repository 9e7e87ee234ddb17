// What a provider says about itself: read at the first sign-in, kept for an hour. A provider that
// does not answer is asked again at the next one, and until then nobody is signed in.
import type { ClientAuth, Configuration } from 'openid-client';
import { describeFailure } from './describe-failure.ts';
import { type OidcRefusal, refuseOidc } from './oidc-refusals.ts';
import { isSameIssuer, type OidcSettings } from './oidc-settings.ts';

type OpenIdClient = typeof import('openid-client');

export interface KnownIssuer {
  readonly ok: true;
  readonly client: OpenIdClient;
  readonly configuration: Configuration;
  /** Issuer identifier exactly as the provider writes it. */
  readonly issuer: string;
}

const keptForMs = 3_600_000;
/** Of each request to the provider. */
const timeoutSeconds = 10;

/** One provider. Sign-ins that come together share one request. */
export function createIssuer(
  settings: OidcSettings,
  nowMs: () => number,
): () => Promise<KnownIssuer | OidcRefusal> {
  let kept: { readonly known: KnownIssuer; readonly untilMs: number } | undefined;
  let running: Promise<KnownIssuer | OidcRefusal> | undefined;
  const ask = async (): Promise<KnownIssuer | OidcRefusal> => {
    try {
      const known = await discover(settings);
      if (known.ok) kept = { known, untilMs: nowMs() + keptForMs };
      return known;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (kept !== undefined && nowMs() < kept.untilMs) return kept.known;
    running ??= ask();
    return running;
  };
}

async function discover(settings: OidcSettings): Promise<KnownIssuer | OidcRefusal> {
  // Most gateways never need it: it is loaded by the first sign-in.
  const client = await import('openid-client');
  try {
    const server = new URL(settings.issuer);
    const configuration = await client.discovery(
      server,
      settings.clientId,
      {},
      clientAuth(client, settings.clientSecret),
      {
        timeout: timeoutSeconds,
        // The signature is checked although the token comes straight from the provider: the
        // connection may end at somebody's TLS proxy.
        execute: [
          client.enableNonRepudiationChecks,
          ...(isLoopback(server) ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    const { issuer } = configuration.serverMetadata();
    // The library knows two providers that may name another issuer than the one they were asked for.
    if (!isSameIssuer(issuer, settings.issuer)) {
      return refuseOidc('ISSUER_MISMATCH', 'the provider names another issuer than `issuer`');
    }
    return { ok: true, client, configuration, issuer };
  } catch (error) {
    return { ...describeFailure(error), reason: 'ISSUER_UNAVAILABLE' };
  }
}

/** Plain HTTP never leaves this computer. */
const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** In the header, as every provider has to accept it, unless this one says that it does not. */
function clientAuth(client: OpenIdClient, secret: string | undefined): ClientAuth {
  if (secret === undefined) return client.None();
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_basic') ? basic : post;
    return method(server, ...rest);
  };
}
