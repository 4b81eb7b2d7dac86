'use client';
import { CapDialog } from '#app/_cockpit/caps/credential-cap.tsx';
import { ConfirmCall } from '#app/_cockpit/dialogs/confirm-call.tsx';
import { type ChoosableSpace, SpaceChoice } from '#app/_cockpit/spaces/space-choice.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
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
    <DialogButton
      label="Espaces"
      variant="quiet"
      size="sm"
      title={`Espaces ouverts à «\u00a0${row.name}\u00a0»`}
      description="Pour toutes ses connexions, dès sa prochaine requête. Elle ne voit jamais plus que le membre pour qui elle agit."
    >
      {(close) => (
        <Form action={changeApplicationSpaces} onDone={close} className="flex flex-col gap-4">
          <input type="hidden" name="clientId" value={row.clientId} />
          <input type="hidden" name="memberId" value={row.memberId} />
          <SpaceChoice
            spaces={spaces}
            given={row.given}
            writes={row.writes}
            all="Tous ceux du membre, et ceux à venir."
          />
          <FormFoot close={close} label="Enregistrer" />
        </Form>
      )}
    </DialogButton>
  );
}

export function Disconnect({ row }: { row: Row }) {
  return (
    <ConfirmCall
      label="Déconnecter"
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
