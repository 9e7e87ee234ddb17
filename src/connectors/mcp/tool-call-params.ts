// The exact text of the params of one tool call. Arguments and unknown members keep their text;
// the progress token is ours, so that an answer never meets another call.
import type { ToolCallRequest } from '../tool-servers.ts';

export function toolCallParams(request: ToolCallRequest, progressToken: number): string {
  const { tool, argumentsText, meta, otherParams } = request;
  const metaText =
    meta === undefined
      ? `{"progressToken":${progressToken}}`
      : JSON.stringify({ ...meta, progressToken });
  let text = `{"name":${JSON.stringify(tool)}`;
  if (argumentsText !== undefined) text += `,"arguments":${argumentsText}`;
  if (otherParams !== undefined) {
    const other = JSON.stringify(otherParams);
    if (other !== '{}') text += `,${other.slice(1, -1)}`;
  }
  return `${text},"_meta":${metaText}}`;
}
