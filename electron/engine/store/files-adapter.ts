import type { Adapter } from 'lowdb'
import { decodeEnvelope, envelopeText, type Envelope } from './envelope.ts'
import type { DocumentSpec, Files } from './types.ts'

/** A lowdb adapter that keeps one document in one file, written atomically. */
export const filesAdapter = <T>(
  files: Pick<Files, 'read' | 'writeAtomic'>,
  path: string,
  spec: DocumentSpec<T>,
  found?: (envelope: Envelope<unknown>) => void,
): Adapter<Envelope<T> | null> => ({
  async read() {
    const raw = await files.read(path)
    return raw === null ? null : decodeEnvelope(raw, spec, found)
  },
  write: (envelope) =>
    files.writeAtomic(
      path,
      envelope && spec.encode
        ? envelopeText({ ...envelope, state: spec.encode(envelope.state) }, true)
        : JSON.stringify(envelope),
    ),
})
