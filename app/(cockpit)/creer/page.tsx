import { AudioLines, Film, Image, LayoutTemplate, Mic, Shapes } from 'lucide';
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Composer } from '#app/_studio/composer/composer.tsx';
import {
  type ComposerData,
  type Draft,
  type GivenDraft,
  kindOf,
  type Role,
} from '#app/_studio/composer/draft/draft.ts';
import { fromRequest } from '#app/_studio/composer/draft/from-request.ts';
import { EDIT_CASE, TRANSPARENT_CASE, UPSCALE_CASE } from '#app/_studio/composer/draft/roles.ts';
import { pageStudio } from '#app/_studio/page-studio.ts';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { hasPermission, type MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { viewPurse } from '#lib/ledger/reads/schemas.ts';
import { findProduct, productsOf } from '#lib/products/registry.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { MODELS, VIDEO_CASES } from '#lib/providers/models/catalogue.ts';
import { listGenerations } from '#lib/studio/journal/list-generations.ts';
import { listGenerationsById } from '#lib/studio/journal/list-generations-by-id.ts';
import { readRequest } from '#lib/studio/journal/read-request.ts';
import { fileUrl, type GenerationView } from '#lib/studio/journal/view.ts';
import { SKILLS } from '#lib/studio/prompt/skills.ts';
import { findOwnFiles } from '#lib/studio/references/find-files.ts';
import { listTemplates } from '#lib/studio/templates/registry.ts';

export const metadata: Metadata = { title: 'Créer' };
/** In seconds. The action that receives a clip reads and measures it. */
export const maxDuration = 60;

const icon = (drawing: IconDrawing) => <Icon of={drawing} size={16} strokeWidth={1.75} />;
const ICONS = {
  image: icon(Image),
  vector: icon(Shapes),
  voice: icon(AudioLines),
  video: icon(Film),
  lipsync: icon(Mic),
  render: icon(LayoutTemplate),
};

type Query = Record<string, string | undefined>;

/**
 * The composer. Its address may fill it in:
 * - `?reprendre=`: the request of a generation; `?resultat=`: the generation whose result is shown; `?type=`: the kind (read in the browser)
 * - `?reference=`: a file, with its `role` (startImage, character, clip, clips) or a `cas` to apply to it: background removed (with `format`),
 *   redrawn within a mask, enlarged
 * - `?parole=`: the voice generation to lip-sync; `?modele=`, `?taille=`, `?voix=`, `?produit=`: what goes with the request
 */
export default memberPage(
  { permission: 'generate', action: 'créer de fichiers' },
  async ({ ctx, query, now }) => {
    const [data, given] = await Promise.all([composerData(ctx, query, now), givenDraft(ctx, query)]);
    return (
      <>
        <PageHeader
          title="Créer"
          description="Une demande, ce qu’elle envoie exactement, et ce qu’elle retient, avant d’appuyer."
        />
        {given === 'gone' ? (
          <Notice tone="warn" className="mb-5">
            La ligne à reprendre n’existe pas dans ce compte, ou elle est trop ancienne pour être relue. Rien
            n’est perdu&nbsp;: composez une nouvelle demande.
          </Notice>
        ) : null}
        <Composer
          data={data}
          given={given === 'gone' ? null : given}
          drawnFor={new URLSearchParams(query as Record<string, string>).toString()}
          icons={ICONS}
        />
      </>
    );
  },
);

async function composerData(ctx: Context<MemberActor>, query: Query, now: Date): Promise<ComposerData> {
  const { accountId, memberId } = ctx.actor;
  const isFounder = hasPermission(ctx.actor, 'ledger.grant');
  const [spaces, wallet, recent, founders] = await Promise.all([
    listSpaceNames(ctx),
    readWallet(ctx, { memberId }),
    recentRows(ctx, query),
    isFounder ? [] : listFounderNames(ctx),
  ]);
  const free = findProduct(accountId, FREE_PRODUCT);
  const products = [...productsOf(accountId), ...(free ? [free] : [])];
  return {
    memberId,
    products: products.map(({ id, name, brand, references }) => ({
      id,
      name,
      tone: brand?.tone ?? null,
      promises: [...(brand?.promises ?? [])],
      shopDomains: [...references.shopDomains],
    })),
    spaces: spaces.map(({ id, name }) => ({ id, name })),
    skills: SKILLS.map(({ id, label, kinds }) => ({ id, label, kinds: [...kinds] })),
    // Prices are not sent to the browser: only the server knows the cost of a request.
    cases: Object.fromEntries(
      Object.entries(MODELS).map(([id, { limits, references, framesExcludeReferences }]) => [
        id,
        {
          limits,
          ...(references ? { references } : {}),
          ...(framesExcludeReferences ? { framesExcludeReferences } : {}),
        },
      ]),
    ),
    videoCases: VIDEO_CASES,
    templates: listTemplates(),
    wallet: viewPurse(wallet),
    credit: { isFounder, founders },
    recent,
    now: now.toISOString(),
  };
}

/** How many of the latest rows the page is rendered with. */
const RECENT = 8;

/** The member's latest rows, and the row in the address, whoever in the account requested it. */
async function recentRows(ctx: Context<MemberActor>, query: Query): Promise<GenerationView[]> {
  const studio = pageStudio(ctx);
  const shown = query.resultat && isId('generation', query.resultat) ? [query.resultat] : [];
  const [{ generations }, named] = await Promise.all([
    listGenerations(studio, { memberId: ctx.actor.memberId, limit: RECENT }),
    listGenerationsById(studio, { generationIds: shown }),
  ]);
  return [...generations, ...named.filter(({ id }) => !generations.some((one) => one.id === id))];
}

/** The prompt for removing the background of a kept image. */
const CUT_OUT = 'Garder le sujet tel qu’il est, sans rien autour.';

/** The thumbnail of an image of the account. */
async function thumbnailOf(ctx: Context<MemberActor>, id: string): Promise<{ thumbnail?: string }> {
  if (!isId('asset', id) && !isId('upload', id)) return {};
  const [file] = await findOwnFiles(pageStudio(ctx), { ids: [id], pathnames: [] });
  return file ? { thumbnail: fileUrl(file.pathname) } : {};
}

/** The roles that a link may give to a file. */
const GIVEN_ROLES: readonly Role[] = ['startImage', 'character', 'clip', 'clips'];

async function givenDraft(ctx: Context<MemberActor>, query: Query): Promise<GivenDraft | 'gone' | null> {
  if (query.reprendre) {
    const found = await readRequest(pageStudio(ctx), { generationId: query.reprendre }).catch(
      (error: unknown) => {
        if (error instanceof ServiceError && error.code === 'not_found') return null;
        throw error;
      },
    );
    return found ? { part: fromRequest(found.request, found.references), whole: true } : 'gone';
  }
  const kind = kindOf(query.type);
  const role = GIVEN_ROLES.find((one) => one === query.role);
  const productId =
    query.produit && findProduct(ctx.actor.accountId, query.produit) ? query.produit : undefined;
  const retouches = query.cas === EDIT_CASE || query.cas === UPSCALE_CASE;
  if (query.reference)
    return {
      whole: true,
      part: {
        kind: kind ?? 'image',
        ...(productId ? { productId } : {}),
        ancestorId: query.ancetre ?? '',
        ...(query.cas === TRANSPARENT_CASE
          ? { imageCase: TRANSPARENT_CASE, imageRatio: query.format ?? '1:1', brief: CUT_OUT }
          : retouches
            ? { imageCase: query.cas ?? '' }
            : {}),
        references: [
          {
            key: query.reference,
            ...(await thumbnailOf(ctx, query.reference)),
            role: role ?? (retouches ? 'source' : 'images'),
            ref: query.reference,
            name: isId('upload', query.reference) ? 'Fichier envoyé' : 'Fichier du journal',
            contentType: role === 'clips' || role === 'clip' ? 'video/' : 'image/',
          },
        ],
      },
    };
  if (query.parole && isId('generation', query.parole))
    return { whole: false, part: { kind: 'lipsync', voiceGenerationId: query.parole } };
  // The kind alone needs no draft: it stays in the address, and the page follows it.
  if (!productId && !query.modele && !query.voix) return null;
  const template = listTemplates().find(({ id }) => id === query.modele);
  const part: Partial<Draft> = {
    ...(kind ? { kind } : {}),
    ...(productId ? { productId } : {}),
    ...(kind === 'voice' && query.voix ? { voiceId: query.voix.slice(0, 100) } : {}),
    ...(kind === 'render' && template
      ? { template: template.id, size: query.taille?.slice(0, 40) ?? '' }
      : {}),
  };
  return { part, whole: false };
}
