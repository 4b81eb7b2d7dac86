import type { GuideExample } from './types.ts';

const KEY = '-H "Authorization: Bearer $ATELIER_KEY"';
const CLIENT = `const atelier = new AtelierClient({
  baseUrl: process.env.ATELIER_URL!,
  apiKey: process.env.ATELIER_KEY,
});`;
/** The steps of the quick starts and of the guides: whole programs, run as they stand. */
export const GUIDE_EXAMPLES = {
  firstCall: {
    curl: `curl "$ATELIER_URL/api/v1/spaces" \\
  ${KEY}`,
    typescript: `import { AtelierClient } from '@atelier/client';

${CLIENT}

const { data: spaces } = await atelier.listSpaces();
console.log(spaces.map((space) => space.name));`,
  },
  idempotency: {
    curl: `curl -i "$ATELIER_URL/api/v1/spaces/$SPACE_ID/memories" \\
  ${KEY} \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: atelier-lyon" \\
  -d '{"pillar": "KNOWLEDGE", "title": "Atelier", "body": "Les lampes sont montées à Lyon."}'`,
    typescript: `import { AtelierClient } from '@atelier/client';

${CLIENT}

const memory = { pillar: 'KNOWLEDGE', title: 'Verre', body: 'Le verre est soufflé à la main.' } as const;
const idempotencyKey = 'verre-souffle';
const first = await atelier.addMemory(process.env.SPACE_ID!, memory, { idempotencyKey });
const again = await atelier.addMemory(process.env.SPACE_ID!, memory, { idempotencyKey });
console.log(first.id === again.id); // true`,
  },
  conditional: {
    curl: `curl -i "$ATELIER_URL/api/v1/spaces/$SPACE_ID" \\
  ${KEY} \\
  -H "If-None-Match: $ETAG"`,
    typescript: `import { AtelierClient } from '@atelier/client';

${CLIENT}

const read = () =>
  atelier.getSpace(process.env.SPACE_ID!, { onResponse: ({ status }) => console.log(status) });
await read(); // 200
await read(); // 304`,
    status: 304,
  },
  paging: {
    curl: `curl -G "$ATELIER_URL/api/v1/generations" \\
  ${KEY} \\
  -d limit=50`,
    typescript: `import { AtelierClient } from '@atelier/client';

${CLIENT}

for await (const generation of atelier.generations.iterate({ limit: 50 })) console.log(generation.id);`,
  },
  waiting: {
    typescript: `import { AtelierClient } from '@atelier/client';

${CLIENT}

const asked = await atelier.generations.create({
  kind: 'image',
  brief: 'Une bougie ambrée sur une table en chêne',
});
const done = await atelier.generations.wait(asked.id, {
  onProgress: ({ label }) => console.log(label),
});
if (done.status === 'done') console.log(done.files[0]?.url, done.costUsd);
else console.log(done.code, done.message);`,
  },
  mcpCall: {
    curl: `curl "$ATELIER_URL/api/mcp" \\
  ${KEY} \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -H "MCP-Protocol-Version: 2025-11-25" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "brain_search", "arguments": {"q": "vingt ans"}}}'`,
  },
  refusal: {
    typescript: `import { AtelierClient, isAtelierError } from '@atelier/client';

${CLIENT}

try {
  await atelier.getMemory('mem_inconnue');
} catch (error) {
  if (!isAtelierError(error, 'not_found')) throw error;
  console.log(error.status, error.message, error.requestId);
}`,
  },
} as const satisfies Record<string, GuideExample>;
