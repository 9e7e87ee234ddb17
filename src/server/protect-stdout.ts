// Stdout carries the protocol only: everything that libraries print there goes to stderr.
import { Console } from 'node:console';
import { Writable } from 'node:stream';

/** The real stdout for the proxy; `console` and `process.stdout.write` write to stderr from now on. */
export function protectStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    decodeStrings: false,
    highWaterMark: 1024 * 1024,
    write: (chunk: string | Buffer, _encoding, done) => {
      if (write(chunk)) done();
      else stdout.once('drain', () => done());
    },
  });
  stdout.on('error', (error) => output.destroy(error));
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  globalThis.console = new Console(stderr, stderr);
  return output;
}
