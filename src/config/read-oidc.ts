// `[http] oidc`: the OpenID provider at which people sign in.
import { type BuildContext, reporter } from './build-context.ts';
import type { OidcConfig } from './config.ts';
import type { FileShape } from './file-shape.ts';
import { isLoopbackHost, parseAddress } from './read-address.ts';
import { readSecret } from './read-secret.ts';

export function readOidc({ http }: FileShape, context: BuildContext): OidcConfig | undefined {
  const oidc = http?.oidc;
  if (oidc === undefined) return undefined;
  const report = reporter(context, ['http', 'oidc']);
  const url = parseAddress(oidc.issuer);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url));
  if (!isSafe) report(['issuer'], 'must be https://, or http:// on this computer');
  const secret =
    oidc.client_secret === undefined ? undefined : readSecret(oidc.client_secret, context);
  if (secret?.ok === false) report(['client_secret'], secret.error);
  return {
    issuer: oidc.issuer,
    clientId: oidc.client_id,
    clientSecret: secret?.ok === true ? secret.value : undefined,
    acr: oidc.acr,
    amr: oidc.amr ?? [],
  };
}
