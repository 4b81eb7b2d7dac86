import { BRAIN_EXAMPLES } from './brain.ts';
import { GENERATION_EXAMPLES } from './generations.ts';
import { PROGRAM_EXAMPLES } from './programs.ts';
import { STUDIO_EXAMPLES } from './studio.ts';
import { TOOL_EXAMPLES } from './tools.ts';
import type { OperationExample, ToolExample } from './types.ts';

/** The example of every operation of both documents, by its identifier. */
export const OPERATION_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  ...BRAIN_EXAMPLES,
  ...GENERATION_EXAMPLES,
  ...STUDIO_EXAMPLES,
  ...PROGRAM_EXAMPLES,
};

/** The call of a tool as the protocol sends it (`tools/call`). */
export function toolCall(name: string): string | undefined {
  const example = (TOOL_EXAMPLES as Readonly<Record<string, ToolExample>>)[name];
  return example && JSON.stringify({ name, arguments: example.arguments }, null, 2);
}

/** The tool that does what an operation does, if one does. */
export function twinOf(operationId: string): string | undefined {
  const tools = Object.entries<ToolExample>(TOOL_EXAMPLES);
  return tools.find(([, { twin }]) => twin === operationId)?.[0];
}
