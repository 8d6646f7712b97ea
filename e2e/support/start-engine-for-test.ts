import type { ConfigInput } from '../../shared/config/schema.ts'

/** An engine as the conformance tests need it: the config as a person writes it, and one key that its clients use. */
export interface EngineForTest {
  /** `http://127.0.0.1:<port>`, without `/v1` */
  baseUrl: string
  /** one of `server.keys` */
  key: string
  dispose(): Promise<void>
}

/** `server.host` and `server.port` are chosen by the helper, `server.keys` too where the config names none. */
export type StartEngineForTest = (config: ConfigInput) => Promise<EngineForTest>
