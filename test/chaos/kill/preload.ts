// `node --import preload.ts dist/cli/main.js …`: the built product, whose one file that picks the
// adapters is replaced by `dying-parts.ts`, which picks the same ones and watches them.
import { registerHooks } from 'node:module';

const root = new URL('../../../', import.meta.url).href;
const composer = `${root}dist/server/compose.js`;
const watching = new URL('./dying-parts.ts', import.meta.url).href;

const source = `${root}src/`;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (found.url === composer) return next(watching, context);
    // What our own files name in `src` is the built one.
    if (!found.url.startsWith(source)) return found;
    const built = found.url.slice(source.length).replace(/\.ts$/, '.js');
    return next(`${root}dist/${built}`, context);
  },
});
