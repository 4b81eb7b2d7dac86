import { ExternalLink } from 'lucide';
import Link from 'next/link';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { Badge } from '#app/_ui/data/badge.tsx';
import { Facts } from '#app/_ui/data/card.tsx';
import { duration } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { Picture } from '#app/_ui/state/picture.tsx';
import { Mono } from '#app/_ui/text/inline.tsx';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { ReferenceFile } from '#lib/studio/generation/params.ts';
import { fileUrl, type GenerationView } from '#lib/studio/journal/view.ts';
import { findTemplate } from '#lib/studio/templates/registry.ts';
import { settingLabel, settingValue } from '../setting-words.ts';
import { CASE_LABELS, fallbackWords } from '../words.ts';
import { IgnoredLayers } from './ignored-layers.tsx';

/** The request and how it was made: kind, model, settings, identifiers. */
export function RequestFacts({
  row,
  product,
  skills,
}: {
  row: GenerationView;
  product: string;
  skills: string[];
}) {
  const items = [
    { label: 'Type', value: KIND_LABELS[row.kind] },
    ...(row.case && row.kind !== 'RENDER'
      ? [{ label: 'Cas', value: CASE_LABELS[row.case] ?? row.case }]
      : []),
    { label: 'Produit', value: product },
    ...(row.modelId && row.kind !== 'RENDER' ? [{ label: 'Modèle', value: <Mono>{row.modelId}</Mono> }] : []),
    ...(row.params.fallback ? [{ label: 'Modèle de secours', value: fallbackWords(row) }] : []),
    ...(row.params.template
      ? [{ label: 'Gabarit', value: templateWords(row.params.template, row.params.size) }]
      : []),
    ...Object.entries(row.params.settings ?? {}).map(([name, value]) => ({
      label: settingLabel(name),
      value: settingValue(name, value),
    })),
    ...(skills.length > 0 ? [{ label: 'Savoir-faire', value: skills.join(', ') }] : []),
    ...(row.params.runMinutes === undefined
      ? []
      : [{ label: 'Minutes entamées', value: String(row.params.runMinutes) }]),
    ...(row.params.mode === 'fixtures'
      ? [{ label: 'Fournisseur', value: 'réponses enregistrées' }]
      : row.provider
        ? [{ label: 'Fournisseur', value: row.provider }]
        : []),
  ];
  return <Facts className="mt-4" items={items} />;
}

/** « Carrousel, 1080 × 1350 »; a template that no longer exists is named by its identifier. */
function templateWords(id: string, size: string | undefined): string {
  const name = findTemplate(id)?.name ?? id;
  return size ? `${name}, ${size.replace('x', ' × ')}` : name;
}

/** The prompt as it was sent, and the layers that the server left out. */
export function SentPrompt({ row }: { row: GenerationView }) {
  const { prompt, ignoredLayers = [] } = row.params;
  if (!prompt && ignoredLayers.length === 0) return null;
  return (
    <>
      {prompt ? (
        <div className="relative rounded-md border border-line bg-surface p-4 pr-12">
          <section
            aria-label="Prompt exact"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long prompt must be scrollable by keyboard
            tabIndex={0}
            className="wrap-anywhere max-h-80 overflow-y-auto whitespace-pre-wrap text-sm"
          >
            {prompt}
          </section>
          <span className="absolute top-2 right-2">
            <CopyButton compact text={prompt} label="Copier le prompt" />
          </span>
        </div>
      ) : null}
      <IgnoredLayers layers={ignoredLayers} />
    </>
  );
}

const ROLES: [string, string][] = [
  ['startImage', 'Image de début'],
  ['endImage', 'Image de fin'],
  ['character', 'Personnage'],
  ['clips', 'Clip'],
  ['images', 'Image de référence'],
  ['product', 'Produit'],
  ['mask', 'Masque'],
  ['fields', 'Image du gabarit'],
];

/** The references, with the role of each. */
export function ReferenceList({ row }: { row: GenerationView }) {
  const roles = (row.references.roles ?? {}) as Record<
    string,
    ReferenceFile | ReferenceFile[] | Record<string, ReferenceFile> | undefined
  >;
  const files = ROLES.flatMap(([role, label]) => {
    const value = roles[role];
    if (!value) return [];
    const list = Array.isArray(value)
      ? value
      : 'ref' in value && typeof value.ref === 'string'
        ? [value as ReferenceFile]
        : Object.values(value as Record<string, ReferenceFile>);
    return list.map((file, index) => ({ key: `${role}${index}`, label, file }));
  });
  const voice = row.references.voiceGenerationId;
  if (files.length === 0 && !voice) return null;
  return (
    <ul role="list" className="flex flex-wrap gap-3">
      {files.map(({ key, label, file }) => (
        <li key={key} className="w-36 min-w-0 overflow-hidden rounded-md border border-line bg-surface">
          <ReferenceThumb file={file} />
          <div className="flex flex-col gap-1 p-2">
            <Badge>{label}</Badge>
            <span className="truncate text-ink-faint text-xs" data-tip={file.ref}>
              {file.durationMs === undefined ? '' : `${duration(file.durationMs)} · `}
              {file.pathname ? 'fichier du compte' : hostOf(file.ref)}
            </span>
          </div>
        </li>
      ))}
      {voice ? (
        <li>
          <Link
            href={`/journal/${voice}`}
            className="inline-flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-3 text-sm hover:border-line-strong"
          >
            <Badge>Voix</Badge> Voir la voix
            <Icon of={ExternalLink} size={14} />
          </Link>
        </li>
      ) : null}
    </ul>
  );
}

function hostOf(ref: string): string {
  return URL.canParse(ref) ? new URL(ref).hostname : ref;
}

function ReferenceThumb({ file }: { file: ReferenceFile }) {
  const { pathname, contentType = '' } = file;
  return (
    <div className="grid aspect-[4/3] place-items-center overflow-hidden bg-sunken text-ink-faint text-xs">
      {pathname && contentType.startsWith('image/') ? (
        <Picture
          src={fileUrl(pathname)}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      ) : (
        (contentType.split('/')[1]?.toUpperCase() ?? 'Lien')
      )}
    </div>
  );
}
