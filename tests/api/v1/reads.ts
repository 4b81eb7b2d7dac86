import { GET as getMemory } from '#app/api/v1/memories/[id]/route.ts';
import { GET as getProjects } from '#app/api/v1/projects/route.ts';
import { GET as getQuota } from '#app/api/v1/quota/route.ts';
import { GET as search } from '#app/api/v1/search/route.ts';
import { GET as getContext } from '#app/api/v1/spaces/[id]/context/route.ts';
import { GET as getSpace } from '#app/api/v1/spaces/[id]/route.ts';
import { GET as listSpaces } from '#app/api/v1/spaces/route.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call } from '#tests/setup/api.ts';
import type { TestService } from '#tests/setup/service.ts';

/** An account with one Space, a developer key for it, and what writes Memories there. */
export async function setting(
  service: TestService,
  options: { capacityCu?: number; contractualReads?: number } = {},
) {
  const { account, member, actor } = await makeAccount(service, options);
  const space = await makeSpace(service, account.id, { name: 'Maison Lumen' });
  const { secret } = await makeKey(service, member);
  const write = (pillar: PillarRole, title: string, body: string, parentId: string | null = null) =>
    addMemory(testContext(service, actor), {
      spaceId: space.id,
      pillar,
      title,
      body,
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  return { account, member, actor, space, token: secret, write };
}

export type Place = Awaited<ReturnType<typeof setting>>;

/** One call of each route that reads. */
export const read = {
  spaces: (place: Place, headers?: Record<string, string>) =>
    call(listSpaces, { path: '/api/v1/spaces', token: place.token, headers }),
  space: (place: Place, headers?: Record<string, string>, id = place.space.id) =>
    call(getSpace, { path: `/api/v1/spaces/${id}`, params: { id }, token: place.token, headers }),
  context: (place: Place, query = '', headers?: Record<string, string>, id = place.space.id) =>
    call(getContext, {
      path: `/api/v1/spaces/${id}/context${query}`,
      params: { id },
      token: place.token,
      headers,
    }),
  memory: (place: Place, id: string) =>
    call(getMemory, { path: `/api/v1/memories/${id}`, params: { id }, token: place.token }),
  search: (place: Place, query: string) =>
    call(search, { path: `/api/v1/search${query}`, token: place.token }),
  quota: (place: Place) => call(getQuota, { path: '/api/v1/quota', token: place.token }),
  projects: (place: Place) => call(getProjects, { path: '/api/v1/projects', token: place.token }),
};
