import type { PillarRole } from '#lib/brain/templates.ts';
import { DISPLAYED_STATUSES } from '#lib/studio/generation/status-labels.ts';
import { Badge, Status } from '../_ui/data/badge.tsx';
import { BarChart } from '../_ui/data/bar-chart.tsx';
import { Card, Facts, Section } from '../_ui/data/card.tsx';
import { CodeBlock } from '../_ui/data/code-block.tsx';
import { type Column, DataTable } from '../_ui/data/data-table.tsx';
import { FilterChip } from '../_ui/data/filter-chip.tsx';
import { Meter, Progress, Ring } from '../_ui/data/gauges.tsx';
import { Pagination, Tabs } from '../_ui/data/navigation.tsx';
import { PillarBadge, PillarIcon } from '../_ui/data/pillar.tsx';
import { Diff } from '../_ui/text/diff.tsx';
import { Bytes, Highlight, Money, Mono } from '../_ui/text/inline.tsx';
import { Markdown } from '../_ui/text/markdown.tsx';
import { Time } from '../_ui/text/time.tsx';
import { LongListDemo } from './islands.tsx';

const NOW = new Date('2026-11-21T10:28:00Z');
const PILLARS: { role: PillarRole; label: string; note: string; value: number }[] = [
  { role: 'IDENTITY', label: 'Identité', note: 'Qui est la marque.', value: 100 },
  { role: 'GUIDELINES', label: 'Charte', note: 'Comment elle parle et se montre.', value: 64 },
  { role: 'KNOWLEDGE', label: 'Connaissances', note: 'Ce qu’il faut savoir.', value: 38 },
  { role: 'ITEMS', label: 'Offre', note: 'Ce qu’elle vend.', value: 12 },
  { role: 'PEOPLE', label: 'Publics', note: 'À qui elle s’adresse.', value: 0 },
];

export function Colours() {
  return (
    <Section title="Piliers et états">
      <div className="flex flex-wrap gap-2">
        {PILLARS.map((pillar) => (
          <PillarBadge key={pillar.role} role={pillar.role} label={pillar.label} />
        ))}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {DISPLAYED_STATUSES.map((status) => (
          <Status key={status} status={status} />
        ))}
        <Badge tone="accent">brain:read</Badge>
      </div>
      <div className="mt-5 grid gap-4 sm:grid-cols-3 lg:grid-cols-5">
        {PILLARS.map((pillar) => (
          <div key={pillar.role} className="flex items-start gap-2.5 text-sm">
            <PillarIcon role={pillar.role} size={20} />
            <div className="min-w-0 grow">
              <p className="font-medium">{pillar.label}</p>
              <p className="text-ink-faint text-xs">{pillar.note}</p>
            </div>
            <Ring value={pillar.value} label={`Couverture du pilier ${pillar.label}`} />
          </div>
        ))}
      </div>
    </Section>
  );
}

const DAYS = Array.from({ length: 30 }, (_, index) => ({
  label: `${index + 1} novembre`,
  short: String(index + 1),
  value: index < 21 ? Math.round(30 + 28 * Math.sin(index * 1.3) + index) : 0,
  pending: index >= 21,
}));

export function DataParts() {
  return (
    <Section title="Mesures">
      <div className="grid gap-8 lg:grid-cols-[2fr_1fr]">
        <BarChart title="Lectures de novembre" data={DAYS} limit={{ value: 60, label: 'Rythme du quota' }} />
        <div className="space-y-5">
          <Meter label="Capacité" used={312} total={1000} unit="CU" hint="688 CU disponibles." />
          <Meter label="Lectures du mois" used={912} total={1000} hint="Renouvelées le 1er décembre." />
          <Meter label="Membres" used={5} total={5} />
          <Progress label="Import" value={0.4} />
          <div className="flex items-center gap-4">
            <Ring value={62} label="Couverture" size={64} />
            <Ring value={62} label="Couverture" size={32} />
            <Ring value={100} label="Couverture" size={20} />
            <Ring value={0} label="Couverture" size={16} />
          </div>
        </div>
      </div>
      <div className="mt-6 grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {[
          'Café Lumière',
          'Un nom d’espace si long qu’il faut bien le tronquer quelque part avant la fin',
        ].map((name) => (
          <Card key={name} href="/apercu" title={name}>
            <p className="mt-1 text-ink-soft text-sm">Marque · 48 mémoires · 312 CU</p>
            <p className="mt-6 text-ink-faint text-xs">
              Modifié <Time at="2026-11-19T08:00:00Z" now={NOW} />
            </p>
          </Card>
        ))}
      </div>
    </Section>
  );
}

type Line = { id: string; what: string; at: string; bytes: number; micros: bigint };
const LINES: Line[] = [
  {
    id: 'led_1',
    what: 'Montant retenu, image «\u00a0Vitrine de Noël\u00a0»',
    at: '2026-11-21T10:12:00Z',
    bytes: 1_582_000,
    micros: -42_100n,
  },
  {
    id: 'led_2',
    what: 'Remboursé, vidéo interrompue',
    at: '2026-11-20T17:40:00Z',
    bytes: 48_200_000,
    micros: 3_200_000n,
  },
  { id: 'led_3', what: 'Crédit offert', at: '2026-11-01T09:00:00Z', bytes: 0, micros: 25_000_000n },
];
const COLUMNS: Column<Line>[] = [
  { key: 'what', label: 'Mouvement', primary: true, render: (line) => line.what },
  { key: 'id', label: 'Référence', wide: true, render: (line) => <Mono>{line.id}</Mono> },
  { key: 'at', label: 'Quand', render: (line) => <Time at={line.at} now={NOW} /> },
  { key: 'bytes', label: 'Fichier', numeric: true, render: (line) => <Bytes value={line.bytes} /> },
  { key: 'micros', label: 'Montant', numeric: true, render: (line) => <Money micros={line.micros} signed /> },
];

export function Comparison() {
  return (
    <Section title="Tableaux, onglets et filtres">
      <Tabs
        label="Vues du portefeuille"
        tabs={[
          { href: '/apercu?vue=mouvements', label: 'Mouvements', count: 1204, current: true },
          { href: '/apercu?vue=plafonds', label: 'Plafonds', current: false },
        ]}
      />
      <div className="mb-3 flex flex-wrap gap-2">
        <FilterChip href="/apercu?type=tout" label="Tout" active />
        <FilterChip href="/apercu?type=retenu" label="Retenu" active={false} />
        <FilterChip href="/apercu?type=rembourse" label="Remboursé" active={false} />
      </div>
      <DataTable
        caption="Mouvements du portefeuille"
        columns={COLUMNS}
        rows={LINES}
        rowKey={(line) => line.id}
        footer={{ what: 'Solde', micros: <Money micros={28_157_900n} /> }}
      />
      <Pagination summary="1 à 3 sur 1 204 mouvements" nextHref="/apercu?page=2" />
      <div className="mt-6 grid gap-8 lg:grid-cols-2">
        <LongListDemo />
        <Facts
          items={[
            { label: 'Modèle', value: 'veo-3.1-fast' },
            { label: 'Durée', value: '8 s' },
            { label: 'Expire', value: <Time at="2026-12-03T08:00:00Z" now={NOW} /> },
          ]}
        />
      </div>
    </Section>
  );
}

const CURL = `curl -H "Authorization: Bearer atl_…" \\
  "https://atelier.example/api/v1/context?spaceId=spc_1&maxChars=16000"`;
const JAVASCRIPT = `const reponse = await fetch(
  'https://atelier.example/api/v1/context?spaceId=spc_1&maxChars=16000',
  { headers: { Authorization: \`Bearer \${process.env.ATELIER_KEY}\` } },
);`;
const MARKDOWN = `## Ton de la marque

Nous **tutoyons** nos clients, *jamais* la presse. Voir [la charte](https://example.com/charte) et \`vous\`.

- Phrases courtes
- Pas de jargon
  - sauf en annexe

> La lumière d’abord.

| Mot | Usage |
|---|---|
| Café | toujours |

<script>alert('montré, jamais exécuté')</script>`;

export function Texts() {
  return (
    <Section title="Textes et code">
      <div className="grid gap-8 lg:grid-cols-2">
        <Markdown text={MARKDOWN} />
        <div className="min-w-0 space-y-5">
          <CodeBlock
            label="Le même appel"
            samples={[
              { label: 'curl', code: CURL },
              { label: 'JavaScript', code: JAVASCRIPT },
            ]}
          />
          <Diff
            before={'Nous vouvoyons nos clients.\nDeux\nTrois\nQuatre\nCinq\nSix\nSept\nHuit\nFin'}
            after={
              'Nous tutoyons nos clients, jamais la presse.\nDeux\nTrois\nQuatre\nCinq\nSix\nSept\nHuit\nFin\nSuite'
            }
          />
          <p>
            <Highlight
              text="Le ton de la marque reste lumineux."
              ranges={[
                [3, 6],
                [13, 19],
              ]}
            />
          </p>
        </div>
      </div>
    </Section>
  );
}
