// What is known of the client behind a request: its era, its name, what it can show.
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';

export interface ClientProfile {
  readonly era: 'legacy' | 'modern';
  /** Revision of the protocol that was agreed. */
  readonly revision: string;
  /** Name and version, for logs and receipts. */
  readonly name: string | undefined;
  /** It can show a form to its person. */
  readonly form: boolean;
  /** It can offer its person a link to open, and has no forms. */
  readonly link: boolean;
  /** Level of log messages that it asked for with this request. */
  readonly logLevel: string | undefined;
}

/** Reads `clientInfo` and `capabilities` of a handshake or of a request's envelope. */
export function clientProfile(about: {
  readonly era: 'legacy' | 'modern';
  readonly revision: string;
  readonly info: JsonValue | undefined;
  readonly capabilities: JsonValue | undefined;
  readonly logLevel?: JsonValue | undefined;
}): ClientProfile {
  const { era, revision, info, capabilities, logLevel } = about;
  return {
    era,
    revision,
    name: clientName(info),
    ...declaredQuestions(
      isJsonObject(capabilities) ? capabilities['elicitation'] : undefined,
      revision,
    ),
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  };
}

// An empty object is the older way to say "forms"; one that lists `url` alone has no forms.
function declaredQuestions(
  elicitation: JsonValue | undefined,
  revision: string,
): Pick<ClientProfile, 'form' | 'link'> {
  if (!isJsonObject(elicitation) || revision < '2025-06-18') return { form: false, link: false };
  const isOnlyLink = isJsonObject(elicitation['url']) && !isJsonObject(elicitation['form']);
  return { form: !isOnlyLink, link: isOnlyLink && revision >= '2025-11-25' };
}

function clientName(info: JsonValue | undefined): string | undefined {
  if (!isJsonObject(info)) return undefined;
  const { name, version } = info as JsonObject;
  if (typeof name !== 'string') return undefined;
  const text = typeof version === 'string' ? `${name}/${version}` : name;
  return text.slice(0, 128);
}
