// The site that a passkey works on, and how long a person has for one prompt.

/** Both from the address of the page and never from a request. */
export interface Site {
  /** `localhost`, or the host of `page_url`: a domain, never an IP address. */
  readonly rpId: string;
  /** Origin of the page, such as `https://approvals.example`. */
  readonly origin: string;
}

/** For one prompt of the browser. */
export const timeoutMs = 120_000;
