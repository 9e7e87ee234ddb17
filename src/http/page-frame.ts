// What every page has around its content.
import { html, type Markup, shown } from './html.ts';

export interface PageFrame {
  readonly title: string;
  readonly main: Markup;
  /** The list of open requests; a page that is the list has no link to itself. */
  readonly isList?: boolean;
  /** Who is signed in; on pages where nobody can be it is left out. */
  readonly viewer?: PageViewer;
}

export type PageViewer =
  | { readonly name: string; readonly signOut: string }
  /** Where signing in leads back to: a path of the page. */
  | { readonly signIn: string };

/** A whole document. The title is ours: window lists and histories hold no values. */
export function pageFrame({ title, main, isList = false, viewer }: PageFrame): string {
  const back = isList ? undefined : html`<a href="/">All open requests</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · intentplane</title>
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<header><span class="name">intentplane</span><nav aria-label="Page">${back}${viewerPart(viewer)}</nav></header>
<main>
${main}
</main>
</body>
</html>
`.text;
}

function viewerPart(viewer: PageViewer | undefined): Markup | undefined {
  if (viewer === undefined) return undefined;
  if ('signIn' in viewer) return html`<a href="/sign-in${viewer.signIn}">Sign in</a>`;
  return html`<span class="viewer">${shown(viewer.name)}</span><button type="button" id="sign-out" class="small" data-csrf="${viewer.signOut}">Sign out</button>`;
}
