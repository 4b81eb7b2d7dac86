import { expect, test } from 'vitest';
import { securitySchemes } from '#lib/http/openapi/security.ts';
import type { BoundDeclaration } from '#lib/http/routes/declaration.ts';

const OF_MEMBERS: BoundDeclaration = {
  id: 'one',
  summary: 'Une',
  tag: 'Une',
  answers: {},
  caller: { kind: 'member', permission: null },
  dialect: 'studio',
  commonErrors: [],
};

test('the cookie of a session is named as the service sets it at its address', () => {
  const nameAt = (origin: string) => securitySchemes([OF_MEMBERS], origin).session;
  expect(nameAt('https://atelier.exemple.fr')).toMatchObject({ in: 'cookie', name: '__Host-atelier' });
  expect(nameAt('http://localhost:3000')).toMatchObject({ in: 'cookie', name: 'atelier' });
});
