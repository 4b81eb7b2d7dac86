'use client';
import { CapDialog } from '#app/_cockpit/caps/credential-cap.tsx';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import type { ChoosableSpace } from '#app/_cockpit/spaces/space-choice.tsx';
import { SpacesDialog } from '#app/_cockpit/spaces/spaces-dialog.tsx';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { changeApplicationCap, changeApplicationSpaces, disconnectApplication } from './actions.ts';

type Row = { clientId: string; name: string; memberId: string; connections: number };

type CapRow = Omit<Row, 'connections'> & { monthlyCapMicros: bigint };

export function ApplicationCap({ row }: { row: CapRow }) {
  return (
    <CapDialog name={row.name} monthlyCapMicros={row.monthlyCapMicros} action={changeApplicationCap}>
      <input type="hidden" name="clientId" value={row.clientId} />
      <input type="hidden" name="memberId" value={row.memberId} />
    </CapDialog>
  );
}

type SpacesRow = Omit<Row, 'connections'> & { given: SpaceRights | null; writes: boolean };

export function ApplicationSpaces({ row, spaces }: { row: SpacesRow; spaces: readonly ChoosableSpace[] }) {
  return (
    <SpacesDialog
      name={row.name}
      description="Pour toutes ses connexions, dès sa prochaine requête. Elle ne voit jamais plus que le membre pour qui elle agit."
      action={changeApplicationSpaces}
      spaces={spaces}
      given={row.given}
      writes={row.writes}
    >
      <input type="hidden" name="clientId" value={row.clientId} />
      <input type="hidden" name="memberId" value={row.memberId} />
    </SpacesDialog>
  );
}

export function Disconnect({ row }: { row: Row }) {
  return (
    <ConfirmCall
      ref={focusBeside}
      label="Déconnecter"
      about={`«\u00a0${row.name}\u00a0»`}
      confirm="Déconnecter l’application"
      title={`Déconnecter «\u00a0${row.name}\u00a0»\u00a0?`}
      call={() => disconnectApplication({ clientId: row.clientId, memberId: row.memberId })}
    >
      <p>
        {row.connections > 1 ? `Ses ${row.connections} connexions prennent fin. ` : ''}
        Elle est refusée dès sa prochaine requête. Ce qu’elle a ajouté reste. Pour revenir, elle devra
        redemander votre accord.
      </p>
    </ConfirmCall>
  );
}
