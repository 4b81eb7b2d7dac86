import { withMcp } from '#lib/http/middleware/with-mcp.ts';
import { registerAll } from '#lib/mcp/register-all.ts';
import { rulesOf } from '#lib/mcp/rules.ts';

// An image is asked for and paid in a tool’s call: cut in the middle, it would be paid and not delivered.
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = withMcp({ register: registerAll, rules: rulesOf });
