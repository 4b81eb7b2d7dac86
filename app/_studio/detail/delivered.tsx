import { Brush, Captions, Download, Maximize2, Scissors, Sparkles } from 'lucide';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { bytes, duration } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import type { GenerationFile } from '#lib/storage/assets/read-generation-files.ts';
import type { FileView, GenerationView } from '#lib/studio/journal/view.ts';
import { FullMedia } from '../full-media.tsx';
import type { JournalAddress, Query } from '../journal/filters/query.ts';
import { leftFiles } from '../left-files.ts';
import { isSeen, shownOf } from '../lightbox/shown.ts';
import { shortTitle } from '../title.ts';
import type { Concepts } from './attach-form.tsx';
import { FileActions } from './file-actions.tsx';
import { OpenLightbox } from './open-lightbox.tsx';
import { retentionLine } from './steps.tsx';

type MediaProps = {
  row: GenerationView;
  title: string;
  files: GenerationFile[];
  canGenerate: boolean;
  concepts: Concepts;
  avatarFiles: ReadonlySet<string>;
  lessons: { id: string; assetId: string; text: string }[];
  now: Date;
  /** The filters of the list from which the page was opened. */
  filters: JournalAddress['filters'];
  query: Query;
};

const RETOUCHES = [
  { name: 'image-edit', label: 'Retoucher', icon: Brush },
  { name: 'image-upscale', label: 'Agrandir', icon: Maximize2 },
] as const;

/** The files of a generation at full size, each with its actions; or why there is none. */
export function Delivered({
  row,
  title,
  files,
  canGenerate,
  concepts,
  avatarFiles,
  lessons,
  now,
  filters,
  query,
}: MediaProps) {
  if (row.files.length === 0)
    return (
      <div className="grid min-h-64 place-items-center rounded-md border border-line border-dashed bg-sunken px-6 py-10 text-center text-ink-soft">
        {row.status === 'running'
          ? 'Le fichier apparaîtra ici, sans recharger la page.'
          : row.status === 'deleted'
            ? 'Le fichier a été supprimé. La ligne, son coût et ses écritures restent.'
            : 'Aucun fichier n’a été livré.'}
      </div>
    );
  const several = row.files.length > 1;
  // Shortened in alternative texts: the whole request is beside the files.
  const heard = shortTitle(title);
  const { captions } = row;
  const left = leftFiles(row);
  return (
    <ul role="list" className={cx('grid gap-6', several && 'sm:grid-cols-2')}>
      {row.files.map((file, index) => {
        const kept = files.find((one) => one.pathname === file.pathname);
        if (!kept || file.deletedAt)
          return <Expired key={file.pathname} place={index + 1} of={row.files.length} />;
        return (
          <li key={file.pathname} id={`fichier-${index + 1}`} className="min-w-0 scroll-mt-20">
            {several ? (
              <h2 className="tabular mb-2 font-medium text-sm">
                Fichier {index + 1} sur {row.files.length}
                <span className="font-normal text-ink-soft"> · {retentionLine(kept, now)}</span>
              </h2>
            ) : null}
            <div className="overflow-hidden rounded-md border border-line bg-sunken">
              {isSeen(file) ? (
                <OpenLightbox row={shownOf(row)} file={left.indexOf(file)} filters={filters} query={query}>
                  <FullMedia file={file} alt={several ? `${heard}, fichier ${index + 1}` : heard} />
                </OpenLightbox>
              ) : (
                <FullMedia file={file} alt={several ? `${heard}, fichier ${index + 1}` : heard} />
              )}
            </div>
            <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
              <div className="text-ink-soft text-sm">
                <p className="tabular">{fileWords(file)}</p>
                <p>{provenanceWords(file)}</p>
              </div>
              <div className="flex flex-wrap gap-2">
                <AskedDownload
                  href={`${file.url}?download=1`}
                  className="touch inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong/60 bg-surface px-2.5 font-medium text-sm hover:bg-hover"
                >
                  <Icon of={Download} size={16} strokeWidth={1.75} />
                  Télécharger
                </AskedDownload>
                {captions && index === 0
                  ? (['srt', 'vtt'] as const).map((format) => (
                      <AskedDownload
                        key={format}
                        href={captions[format]}
                        className="touch inline-flex h-8 items-center gap-1.5 rounded-md border border-line-strong/60 bg-surface px-2.5 font-medium text-sm hover:bg-hover"
                      >
                        <Icon of={Captions} size={16} strokeWidth={1.75} />
                        Sous-titres {format.toUpperCase()}
                      </AskedDownload>
                    ))
                  : null}
                {canGenerate && kept.type === 'IMAGE' ? (
                  <LinkButton
                    size="sm"
                    icon={Sparkles}
                    href={`/creer?reference=${kept.id}&ancetre=${row.id}&produit=${row.productId}`}
                  >
                    En faire une variante
                  </LinkButton>
                ) : null}
                {canGenerate && kept.type === 'IMAGE' ? (
                  <LinkButton
                    size="sm"
                    icon={Scissors}
                    href={`/creer?reference=${kept.id}&ancetre=${row.id}&produit=${row.productId}&cas=image-transparent&format=${nearestFormat(file)}`}
                  >
                    Fond transparent
                  </LinkButton>
                ) : null}
                {canGenerate && kept.type === 'IMAGE'
                  ? RETOUCHES.map(({ name, label, icon }) => (
                      <LinkButton
                        key={name}
                        size="sm"
                        icon={icon}
                        href={`/creer?reference=${kept.id}&ancetre=${row.id}&produit=${row.productId}&cas=${name}`}
                      >
                        {label}
                      </LinkButton>
                    ))
                  : null}
              </div>
            </div>
            {canGenerate ? (
              <div className="mt-3">
                <FileActions
                  file={{
                    id: kept.id,
                    type: kept.type,
                    state: kept.state,
                    reviews: kept.reviews,
                    concept: kept.concept,
                    lessons: lessons.flatMap(({ id, assetId, text }) =>
                      assetId === kept.id ? [{ id, text }] : [],
                    ),
                  }}
                  productId={row.productId}
                  concepts={concepts}
                  isAvatar={avatarFiles.has(kept.id)}
                />
              </div>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** A file that the retention rule deleted, while another file of the generation is kept. */
function Expired({ place, of }: { place: number; of: number }) {
  return (
    <li id={`fichier-${place}`} className="min-w-0 scroll-mt-20">
      <h2 className="tabular mb-2 font-medium text-sm">
        Fichier {place} sur {of}
        <span className="font-normal text-ink-soft"> · supprimé</span>
      </h2>
      <p className="grid min-h-48 place-items-center rounded-md border border-line border-dashed bg-sunken px-6 py-10 text-center text-ink-soft">
        Rien ne gardait ce fichier au-delà de 30 jours.
      </p>
    </li>
  );
}

/** What the file itself states about its origin. */
function provenanceWords({ provenance }: FileView): string {
  switch (provenance) {
    case 'manifest':
      return 'Porte le manifeste C2PA de son auteur, conservé tel quel.';
    case 'mark':
      return 'Marqué comme issu d’une IA (métadonnée IPTC).';
    case 'none':
      return 'Ne porte ni manifeste C2PA, ni marque d’IA.';
    case null:
      return 'Origine non relevée\u00a0: fichier plus ancien que ce contrôle.';
  }
}

/** The format with the nearest proportions, among those that exist without a background. */
function nearestFormat({ width, height }: FileView): string {
  const ratio = (width ?? 1) / (height ?? 1);
  if (ratio > 1.22) return '3:2';
  return ratio < 0.82 ? '2:3' : '1:1';
}

function fileWords(file: FileView): string {
  return [
    file.contentType.split('/')[1]?.replace('+xml', '').toUpperCase(),
    file.width && file.height ? `${file.width} × ${file.height}` : null,
    file.durationMs === null ? null : duration(file.durationMs),
    bytes(file.bytes),
  ]
    .filter(Boolean)
    .join(' · ');
}
