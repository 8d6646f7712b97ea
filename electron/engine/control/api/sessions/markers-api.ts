import type { ControlApi } from '../../../../../shared/control/contract.ts'
import type { SessionView } from '../../../../../shared/state.ts'

export interface MarkersApiDeps {
  find(wanted: string): Promise<{ id: string }>
  view(sessionId: string): SessionView
  markers: {
    apply(sessionId: string, id: string): Promise<void>
    forget(sessionId: string, id: string): Promise<void>
  }
}

export function markersApi({ find, view, markers }: MarkersApiDeps): Pick<ControlApi, 'applyMarker' | 'forgetMarker'> {
  const on = async (wanted: string, work: (sessionId: string) => Promise<void>) => {
    const { id } = await find(wanted)
    await work(id)
    return view(id)
  }
  return {
    applyMarker: ({ session, marker }) => on(session, (id) => markers.apply(id, marker)),
    forgetMarker: ({ session, marker }) => on(session, (id) => markers.forget(id, marker)),
  }
}
