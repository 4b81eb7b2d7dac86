import type { OperationExample } from './types.ts';

const KEY = '-H "Authorization: Bearer $ATELIER_KEY"';

/** Spaces, Memories, contexts, search and the account: what a key or a token reads and adds. */
export const BRAIN_EXAMPLES = {
  listSpaces: {
    curl: `curl "$ATELIER_URL/api/v1/spaces" \\
  ${KEY}`,
    typescript: `const { data, capacity } = await atelier.listSpaces();
for (const space of data) console.log(space.id, space.name, space.memories);
console.log(capacity);`,
  },
  getSpace: {
    curl: `curl "$ATELIER_URL/api/v1/spaces/$SPACE_ID" \\
  ${KEY}`,
    typescript: `const space = await atelier.getSpace(spaceId);
for (const pillar of space.pillars) console.log(pillar.label, pillar.memories.length);`,
  },
  addMemory: {
    curl: `curl "$ATELIER_URL/api/v1/spaces/$SPACE_ID/memories" \\
  ${KEY} \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: promesse-2026" \\
  -d '{"pillar": "IDENTITY", "title": "Promesse", "body": "Une lumière qui dure vingt ans."}'`,
    typescript: `const added = await atelier.addMemory(
  spaceId,
  { pillar: 'GUIDELINES', title: 'Ton', body: 'Nous vouvoyons, nous expliquons.' },
  { idempotencyKey: 'ton-2026' },
);
console.log(added.id, added.similar);`,
  },
  getContext: {
    curl: `curl -G "$ATELIER_URL/api/v1/spaces/$SPACE_ID/context" \\
  ${KEY} \\
  --data-urlencode "q=Combien de temps dure une lampe" \\
  -d maxChars=4000`,
    typescript: `const { context } = await atelier.getContext(spaceId, {
  q: 'Combien de temps dure une lampe',
  maxChars: 4000,
});
console.log(context);`,
  },
  getMemory: {
    curl: `curl "$ATELIER_URL/api/v1/memories/$MEMORY_ID" \\
  ${KEY}`,
    typescript: `const memory = await atelier.getMemory(memoryId);
console.log(memory.title, memory.body);`,
  },
  search: {
    curl: `curl -G "$ATELIER_URL/api/v1/search" \\
  ${KEY} \\
  --data-urlencode "q=vingt ans" \\
  -d limit=5`,
    typescript: `const found = await atelier.search({ q: 'vingt ans', limit: 5 });
for (const { title, snippet, memoryId } of found.data) console.log(title, snippet, memoryId);`,
  },
  getQuota: {
    curl: `curl "$ATELIER_URL/api/v1/quota" \\
  ${KEY}`,
    typescript: `const { used, remaining, resetsAt } = await atelier.getQuota();
console.log(used, remaining, resetsAt);`,
  },
  listProjects: {
    curl: `curl "$ATELIER_URL/api/v1/projects" \\
  ${KEY}`,
    typescript: `const { data: projects } = await atelier.listProjects();
for (const project of projects) console.log(project.id, project.name);`,
  },
} as const satisfies Record<string, OperationExample>;
