import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { SafeFetch } from '#lib/core/net/safe-fetch.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService();
const CLIP = await readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url));
const SHOP = 'https://cdn.shopify.com/s/files/';
const OURS = 'https://local.private.blob.vercel-storage.com/';

/** A shop whose photo lies behind a redirect and whose files change after the check: only what was read first is good. */
function shop(files: Record<string, Uint8Array>): { fetch: SafeFetch; reads: () => number } {
  let reads = 0;
  return {
    reads: () => reads,
    fetch: async (address) => {
      reads += 1;
      const bytes = files[address];
      if (!bytes) throw new Error(`nothing at ${address}`);
      return { bytes, contentType: '', charset: undefined, finalUrl: `${address}?redirected` };
    },
  };
}

/** What lies behind a signed address of the store, and until when. */
function behind(scene: StudioScene, address: string) {
  expect(address.startsWith(OURS)).toBe(true);
  const url = new URL(address);
  const pathname = url.pathname.slice(1);
  return {
    pathname,
    content: scene.store.files.get(pathname)?.content,
    minutes: (Number(url.searchParams.get('until')) - scene.clock.now().getTime()) / 60_000,
  };
}

/** The scene whose video and lipsync providers tell what they were given. */
function listening(scene: StudioScene, fetch: SafeFetch) {
  const { providers } = scene.ctx.studio;
  const heard: string[] = [];
  const note = (file: { kind: string; url?: string }) =>
    heard.push(file.kind === 'url' ? (file.url ?? '') : file.kind);
  const ctx: StudioContext<StudioScene['ctx']['actor']> = scene.with({
    fetch,
    providers: {
      ...providers,
      video: {
        ...providers.video,
        start: (asked, options) => {
          for (const { file } of asked.references ?? []) note(file);
          return providers.video.start(asked, options);
        },
      },
      lipsync: {
        ...providers.lipsync,
        start: (asked, options) => {
          note(asked.visual);
          return providers.lipsync.start(asked, options);
        },
      },
    },
  });
  return { ctx, heard };
}

describe('a reference read from an address', () => {
  it('of a render goes to the runner as a signed address of the bytes that were checked, even behind a redirect', async () => {
    const scene = await studioScene(service);
    const template = findTemplate('product-card');
    if (!template) throw new Error('product-card is gone');
    const photo = `${SHOP}photo.png`;
    const { fetch, reads } = shop({ [photo]: PIXEL });
    const { render } = scene.ctx.studio.providers;
    let images: Record<string, string> = {};
    const ctx = scene.with({
      fetch,
      providers: {
        ...scene.ctx.studio.providers,
        render: {
          ...render,
          dispatch: (asked) => {
            images = JSON.parse(String(asked.inputs.images)) as Record<string, string>;
            return render.dispatch(asked);
          },
        },
      },
    });
    const { row } = await submitGeneration(ctx, {
      request: request({
        kind: 'render',
        template: template.id,
        size: template.sizes[0]?.id,
        fields: { ...exampleFields(template), photo },
      }),
    });
    expect(row.state).toBe('SUBMITTED');
    expect(Object.keys(images)).toEqual([photo]);
    const kept = behind(scene, images[photo] ?? '');
    expect(kept.content).toEqual(PIXEL);
    expect(kept.minutes).toBe(100);
    // Where retention finds it, and not among what the runner publishes.
    expect(kept.pathname).toMatch(
      new RegExp(`^references/libre/${scene.owner.accountId}/${row.id}-[0-9a-f]{24}\\.png$`),
    );
    expect(reads()).toBe(1);
    expect(row.references.roles?.fields?.[photo]).toMatchObject({ ref: photo, contentType: 'image/png' });
  });

  it('of a video clip goes to the provider as the bytes that were measured and priced', async () => {
    const scene = await studioScene(service);
    const clip = `${SHOP}clip.mp4`;
    const { ctx, heard } = listening(scene, shop({ [clip]: CLIP }).fetch);
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'video', case: 'omni', brief: 'Une flamme', clips: [clip] }),
    });
    expect(row.state).toBe('SUBMITTED');
    expect(heard).toHaveLength(1);
    const kept = behind(scene, heard[0] ?? '');
    expect(kept.content).toEqual(CLIP);
    expect(kept.pathname).toMatch(/^references\/libre\/.*\.mp4$/);
  });

  it('of a lipsync goes to the provider as the bytes that were checked', async () => {
    const scene = await studioScene(service, { config: { defaultVoiceId: 'Camille0Recorded0001' } });
    const voice = await submitGeneration(scene.ctx, {
      request: request({ kind: 'voice', text: 'Bonjour à tous.' }),
    });
    const clip = `${SHOP}clip.mp4`;
    const { ctx, heard } = listening(scene, shop({ [clip]: CLIP }).fetch);
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'lipsync', voiceGenerationId: voice.row.id, clip }),
    });
    expect(row.state).toBe('SUBMITTED');
    expect(behind(scene, heard[0] ?? '').content).toEqual(CLIP);
  });
});
