import { withMcp } from '#lib/http/middleware/with-mcp.ts';
import { registerAll } from '#lib/mcp/register-all.ts';
import { rulesOf } from '#lib/mcp/rules.ts';

export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = withMcp({ register: registerAll, rules: rulesOf });
