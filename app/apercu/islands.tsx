// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
'use client';
import { Archive, Copy, Ellipsis, Pencil, Trash2 } from 'lucide';
import { useState } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { Button } from '../_ui/action/button.tsx';
import { Menu } from '../_ui/action/menu.tsx';
import { VirtualList } from '../_ui/data/virtual-list.tsx';
import { SegmentedControl, Switch } from '../_ui/form/choice.tsx';
import { Field } from '../_ui/form/field.tsx';
import { Slider } from '../_ui/form/slider.tsx';
import { number } from '../_ui/format.ts';
import { Confirm, Sheet } from '../_ui/overlay/dialog.tsx';
import { useCommands } from '../_ui/shell/palette/commands.ts';
import { toast } from '../_ui/toast.ts';

const COMMANDS = [
  {
    id: 'demo-create',
    label: 'Créer un espace',
    keys: 'n',
    run: () => toast({ title: 'Espace créé', tone: 'ok' }),
  },
];

export function OverlayDemo() {
  const [sheet, setSheet] = useState(false);
  const [confirm, setConfirm] = useState(false);
  useCommands('apercu', COMMANDS);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Menu
        label="Actions de la mémoire"
        tip="Actions de la mémoire"
        align="start"
        className="touch grid size-9 place-items-center rounded-md hover:bg-hover"
        items={[
          { label: 'Modifier', icon: Pencil, keys: 'm' },
          { label: 'Dupliquer', icon: Copy },
          { label: 'Archiver', icon: Archive, disabled: true },
          { separator: true },
          { label: 'Supprimer', icon: Trash2, tone: 'danger' },
        ]}
      >
        <Icon of={Ellipsis} size={16} />
      </Menu>
      <Button onClick={() => setSheet(true)}>Ouvrir le panneau</Button>
      <Button onClick={() => setConfirm(true)}>Demander confirmation</Button>
      <Button
        onClick={() =>
          toast({
            title: 'Mémoire supprimée',
            description: 'Ton et vocabulaire de la marque',
            undo: { run: () => toast({ title: 'Mémoire rétablie', tone: 'ok' }) },
          })
        }
      >
        Supprimer, puis annuler
      </Button>
      <Button
        onClick={() =>
          toast({ title: 'La connexion a été perdue', description: 'Rien n’a été débité.', tone: 'fail' })
        }
      >
        Message d’échec
      </Button>
      <Sheet
        open={sheet}
        onOpenChange={setSheet}
        title="Ton et vocabulaire de la marque"
        description="Charte · 2 CU"
      >
        <p>Un panneau à droite sur grand écran, en bas sur un téléphone. Échap le ferme.</p>
      </Sheet>
      <Confirm
        open={confirm}
        onOpenChange={setConfirm}
        title="Révoquer la clé «&nbsp;Intégration du site&nbsp;»&nbsp;?"
        confirm="Révoquer la clé"
        onConfirm={() => toast({ title: 'Clé révoquée', tone: 'ok' })}
      >
        <p>Les programmes qui s’en servent seront refusés aussitôt. Cela ne se reprend pas.</p>
      </Confirm>
    </div>
  );
}

const SIZES = [
  { value: 4_000, label: '4 000' },
  { value: 16_000, label: '16 000' },
  { value: 32_000, label: '32 000' },
];

export function ControlsDemo() {
  const [chars, setChars] = useState(16_000);
  return (
    <div className="space-y-5">
      <SegmentedControl
        label="Type de génération"
        name="demo-kind"
        defaultValue="image"
        options={[
          { value: 'image', label: 'Image' },
          { value: 'vector', label: 'Pictogramme' },
          { value: 'voice', label: 'Voix' },
          { value: 'video', label: 'Vidéo', disabled: true },
        ]}
      />
      <Field label={`Longueur du contexte\u00a0: ${number(chars)} caractères`}>
        <Slider
          min={200}
          max={40_000}
          step={200}
          value={chars}
          onChange={setChars}
          marks={SIZES}
          format={(value) => `${number(value)} caractères`}
        />
      </Field>
      <Switch label="Regrouper par espace" hint="S’applique aussitôt." defaultChecked />
    </div>
  );
}

const THOUSANDS = Array.from({ length: 5_000 }, (_, index) => ({
  id: String(index),
  title: `Mémoire nº ${index + 1}`,
}));

export function LongListDemo() {
  return (
    <section
      aria-label="5 000 mémoires"
      tabIndex={0}
      className="h-60 overflow-y-auto rounded-md border border-line"
    >
      <VirtualList
        label="Mémoires"
        items={THOUSANDS}
        rowHeight={40}
        initial={10}
        itemKey={(item) => item.id}
        render={(item) => (
          <div className="flex h-10 items-center border-line border-b px-4">{item.title}</div>
        )}
      />
    </section>
  );
}
