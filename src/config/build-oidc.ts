// `[http] oidc`: where people sign in.
import { type BuildContext, reporter } from './build-context.ts';
import type { OidcConfig } from './config.ts';
import type { FileShape } from './file-shape.ts';
import { readSecret } from './read-secret.ts';
import { webAddressFault } from './web-address.ts';

export function buildOidc({ http }: FileShape, context: BuildContext): OidcConfig | undefined {
  const oidc = http?.oidc;
  if (oidc === undefined) return undefined;
  const report = reporter(context, ['http', 'oidc']);
  const fault = webAddressFault(oidc.issuer, { query: false });
  if (fault !== undefined) report(['issuer'], fault);
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
