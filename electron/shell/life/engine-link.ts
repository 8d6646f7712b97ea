import type { EngineUpdate } from '../../../shared/state.ts'

/** The parts of an engine that the desktop needs, be it its own or one it attached to. */
export interface EngineLink {
  /** `http://host:port`, of clients and of the dashboard */
  origin: string
  /** a new one each time: good for one window */
  dashboardLink(): Promise<string>
  /** its own engine ends with the app; one attached to goes on */
  owned: boolean
  /** a snapshot, then changes; ends when the signal aborts or the engine goes */
  follow(signal: AbortSignal): AsyncIterable<EngineUpdate>
  /** null: everything */
  pause(session: string | null): Promise<void>
  resume(session: string | null): Promise<void>
  rearm(session: string): Promise<unknown>
  snoozeAlarm(alarm: string, minutes: number): Promise<unknown>
  cancelAlarm(alarm: string): Promise<void>
  /** of its own one, before it ends: lets open answers run to their ends, for a while */
  finish?(): Promise<void>
  /** The computer slept. An engine of another process notices that itself. */
  wokeUp(): void
  /** one of an older Onward, which stays unless a person says otherwise; left out: it is not */
  older?: {
    version: string
    /** the system starts it */
    service: boolean
    /** asks it to end; false: it refuses */
    handOver(): Promise<boolean>
  }
  dispose(): Promise<void>
}
