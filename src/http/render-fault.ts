// A refusal for somebody who looks at it in a browser.
import { html } from './html.ts';
import type { PageFault } from './page-faults.ts';
import { pageFrame } from './page-frame.ts';

export function renderFault(code: string, { title }: PageFault): string {
  const main = html`<h1>${title}</h1>
<p class="hint">Code <code>${code}</code></p>`;
  return pageFrame({ title: 'Not possible', main });
}
