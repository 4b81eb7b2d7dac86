import {
  Ban,
  Check,
  CircleCheck,
  CircleX,
  Clock,
  FilePlus2,
  FileX2,
  Flag,
  Gauge,
  Hourglass,
  LockKeyhole,
  Play,
  Receipt,
  RotateCcw,
  Send,
} from 'lucide';
import { capitalized, usd, usdThat } from '#app/_ui/format.ts';
import { Money } from '#app/_ui/text/inline.tsx';
import { FILE_STATE_LABELS, KEEP_REASON_LABELS } from '#lib/messages/storage.ts';
import type { GenerationFile } from '#lib/storage/assets/read-generation-files.ts';
import { STATUS_LABELS } from '#lib/studio/generation/status-labels.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { priceBasis } from '#lib/studio/preview/price-basis.ts';
import { HOW_TO_KEEP, retentionWords } from '../journal/rows/retention-words.ts';
import { micros } from '../money-words.ts';
import { CLOSED_BY, costSourceWords, settingLabel } from '../setting-words.ts';
import type { Step } from './timeline.tsx';

/** The steps of the money: held, measured, then debited or refunded, with the source and the difference. `isOwn`: the reader's wallet pays. */
export function moneySteps(row: GenerationView, isOwn: boolean): Step[] {
  if (row.charge === 'none' && row.status === 'cancelled')
    return [
      {
        key: 'none',
        icon: Ban,
        tone: 'warn',
        label: 'Rien n’a été retenu ni débité',
        note: row.message,
        at: row.createdAt,
      },
    ];
  // Delivered without a reserve (`generation.charge_missing`): no ledger line will follow.
  if (row.charge === 'none')
    return [
      {
        key: 'none',
        icon: Receipt,
        label: 'Rien n’a été débité',
        note: 'Aucun montant n’était retenu pour cette génération.',
        at: row.closedAt,
      },
    ];
  const held = micros(row.heldUsd);
  const wallet = isOwn ? 'à votre solde' : 'au solde du membre';
  const basis = priceBasis(row.params.pricing);
  const steps: Step[] = [
    {
      key: 'held',
      icon: LockKeyhole,
      tone: 'run',
      label: (
        <>
          Retenu{'\u00a0'}: <Money micros={held} />
        </>
      ),
      note: basis,
      at: row.createdAt,
    },
  ];
  const { costSource, pendingCostMicros } = row.params;
  const told = costSourceWords(row);
  const source = told ? `d’après\u00a0: ${told}` : undefined;
  const isMeasured = costSource !== 'reserve' && costSource !== 'estimate';
  const word = isMeasured ? 'Mesuré' : 'Estimé';
  if (row.chargePending)
    return [
      ...steps,
      {
        key: 'measured',
        icon: Gauge,
        label:
          pendingCostMicros === undefined ? (
            word
          ) : (
            <>
              {word}
              {'\u00a0'}: <Money micros={BigInt(pendingCostMicros)} />
            </>
          ),
        note: source,
      },
      {
        key: 'pending',
        icon: Clock,
        pending: true,
        label: 'Débit en attente',
        note: 'Il sera inscrit automatiquement, pour le coût mesuré.',
      },
    ];
  if (row.charge === 'settled' && row.costUsd !== null) {
    const cost = micros(row.costUsd);
    const difference = cost - held;
    const words =
      difference === 0n
        ? 'exactement le montant retenu'
        : difference < 0n
          ? `${usdThat(-difference, 'rendu')} ${wallet}`
          : `${usd(difference)} de plus que le montant retenu`;
    return [
      ...steps,
      {
        key: 'measured',
        icon: Gauge,
        label: (
          <>
            {word}
            {'\u00a0'}: <Money micros={cost} />
          </>
        ),
        note: source,
      },
      {
        key: 'settled',
        icon: Receipt,
        label: (
          <>
            Débité{'\u00a0'}: <Money micros={cost} />
          </>
        ),
        note: words,
        at: row.closedAt,
      },
    ];
  }
  if (row.charge === 'refunded')
    return [
      ...steps,
      {
        key: 'refunded',
        icon: RotateCcw,
        label: (
          <>
            Remboursé{'\u00a0'}: <Money micros={held} />
          </>
        ),
        note: `Non débité. Le montant retenu est revenu ${wallet}.`,
        at: row.closedAt,
      },
    ];
  return [
    ...steps,
    {
      key: 'open',
      icon: Clock,
      pending: true,
      label: row.status === 'running' ? 'Débit au coût mesuré, ou remboursement' : 'Remboursement à venir',
      note:
        row.status === 'running'
          ? 'Le montant reste retenu jusqu’à la fin.'
          : 'La prochaine relève l’inscrit.',
    },
  ];
}

/** « demandé » in the gender of the kind: « pictogramme demandé », « voix demandée ». */
export function askedWord(kind: GenerationView['kind']): string {
  return kind === 'VECTOR' || kind === 'MOTION' || kind === 'RENDER' ? 'demandé' : 'demandée';
}

/** The steps of the job: requested, started, closed and by what. */
export function jobSteps(row: GenerationView, author: string, waiting: React.ReactNode): Step[] {
  const steps: Step[] = [
    { key: 'asked', icon: Send, label: 'Demandé', note: `par ${author}`, at: row.createdAt },
  ];
  if (row.status === 'cancelled')
    return [
      ...steps,
      {
        key: 'refused',
        icon: Ban,
        tone: 'warn',
        label: 'Refusé avant tout appel',
        note: row.message,
        at: row.closedAt,
      },
    ];
  if (row.startedAt ?? row.submittedAt)
    steps.push({
      key: 'started',
      icon: Play,
      tone: 'run',
      label: row.submittedAt ? 'Démarré chez le fournisseur' : 'Fournisseur appelé',
      note: warnings(row),
      at: row.submittedAt ?? row.startedAt,
    });
  if (!row.closedAt)
    return [
      ...steps,
      {
        key: 'waiting',
        icon: Clock,
        pending: true,
        label: row.status === 'running' ? 'En cours' : row.label,
        note: waiting,
      },
    ];
  const failed = row.charge === 'refunded';
  const waits = row.status === 'quota' || row.status === 'no-callback';
  steps.push({
    key: 'closed',
    icon: waits ? Clock : failed ? CircleX : CircleCheck,
    tone: waits ? 'warn' : failed ? 'fail' : 'ok',
    label: failed ? (row.status === 'deleted' ? STATUS_LABELS.failed : row.label) : 'Terminé',
    note: row.closedBy ? `clos par ${CLOSED_BY[row.closedBy]}` : undefined,
    at: row.closedAt,
  });
  return steps;
}

function warnings(row: GenerationView): string | undefined {
  const dropped = [
    ...(row.params.dropped ?? []).map(settingLabel),
    ...(row.params.endFrameDropped ? ['Image de fin'] : []),
  ];
  if (dropped.length > 0) return `Réglage ignoré par le fournisseur\u00a0: ${dropped.join(', ')}`;
  const [first] = row.params.startWarnings ?? [];
  return first
    ? `Avertissement du fournisseur${first.feature ? ` sur ${settingLabel(first.feature)}` : ''}`
    : undefined;
}

/** The decision on a file and how long it is kept, in a few words. */
export function retentionLine(file: GenerationFile, now: Date): string {
  return `${FILE_STATE_LABELS[file.state].toLowerCase()}, ${retentionWords(file, now.getTime()).text}`;
}

/** The steps of the file: created, judged, then kept and why, or expiring with what can keep it. */
export function fileSteps(
  row: GenerationView,
  file: GenerationFile | undefined,
  judge: string | null,
  now: Date,
  /** The button that keeps the file, for a member who may decide. */
  keep: React.ReactNode,
): Step[] {
  if (row.filesDeletedAt)
    return [
      { key: 'made', icon: FilePlus2, label: 'Créé', at: row.closedAt ?? row.createdAt },
      {
        key: 'deleted',
        icon: FileX2,
        tone: 'warn',
        label: 'Supprimé',
        note: 'La ligne, son coût et ses écritures restent.',
        at: row.filesDeletedAt,
      },
    ];
  if (!file) return [];
  const steps: Step[] = [{ key: 'made', icon: FilePlus2, label: 'Créé', at: file.createdAt }];
  if (file.state === 'GENERATED')
    steps.push({
      key: 'review',
      icon: Flag,
      pending: true,
      label: 'À vérifier',
      note: 'Personne ne l’a encore approuvé ni rejeté.',
    });
  else
    steps.push({
      key: 'reviewed',
      icon: file.state === 'REJECTED' ? CircleX : Check,
      tone: file.state === 'REJECTED' ? 'fail' : 'ok',
      label: FILE_STATE_LABELS[file.state],
      note:
        [judge ? `par ${judge}` : '', file.reviewReason ?? ''].filter(Boolean).join('\u00a0: ') || undefined,
      at: file.reviewedAt,
    });
  const { text, soon } = retentionWords(file, now.getTime());
  steps.push(
    file.lasting
      ? { key: 'kept', icon: LockKeyhole, label: 'Gardé', note: KEEP_REASON_LABELS[file.lasting] }
      : {
          key: 'expires',
          icon: Hourglass,
          ...(soon ? { tone: 'warn' as const } : { pending: true }),
          label: capitalized(text),
          note: `Rien ne le garde au-delà de 30 jours. ${HOW_TO_KEEP}`,
          action: file.reviews.includes('approve') ? keep : undefined,
        },
  );
  return steps;
}
