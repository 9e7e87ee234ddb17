// What every page has around its content.
import { html, type Markup } from './html.ts';

export interface PageFrame {
  readonly title: string;
  readonly main: Markup;
  /** The list of open requests; a page that is the list has no link to itself. */
  readonly isList?: boolean;
}

/** A whole document. The title is ours: window lists and histories hold no values. */
export function pageFrame({ title, main, isList = false }: PageFrame): string {
  const back = isList ? undefined : html`<nav><a href="/">All open requests</a></nav>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · intentplane</title>
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<header><span class="name">intentplane</span>${back}</header>
<main>
${main}
</main>
</body>
</html>
`.text;
}
