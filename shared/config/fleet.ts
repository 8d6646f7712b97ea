import { z } from 'zod'
import { deviceRights } from '../devices.ts'
import { fleetName, hubUrl } from '../fleet.ts'
import { says } from './describe-setting.ts'

const file = z.string().min(1)

/** Off as it comes: without an address nothing of NATS is loaded. */
export const fleet = says(
  z
    .object({
      url: says(
        z.string().regex(hubUrl, 'no address of a hub without a login in it').nullable().default(null),
        'The hub, as `nats://hub:4222`; `tls://` wants TLS. Never with a login in it. null: no fleet.',
      ),
      name: says(z.string().regex(fleetName).default('onward'), 'Of the fleet: several may share a hub.'),
      engine: says(z.string().regex(fleetName).optional(), 'What this engine is called; default: the host’s name.'),
      domain: says(
        z.string().regex(fleetName).optional(),
        'Of the hub’s JetStream, for an engine at a leaf node of the hub.',
      ),
      creds: says(file.optional(), 'Path of a file with credentials or a seed, which others can’t read.'),
      ca: says(file.optional(), 'A file with the authorities that vouch for the hub.'),
      cert: says(file.optional(), 'A file with a certificate to show to the hub.'),
      key: says(file.optional(), 'The file with its key.'),
      rights: says(
        z.array(z.enum(deviceRights)).default(['look', 'say', 'arm']),
        'What others of the fleet may ask for here, as a phone may.',
      ),
      texts: says(z.boolean().default(false), 'true: with texts of conversations.'),
    })
    .strict()
    .prefault({}),
  'A [fleet](fleets.md) of engines. `onward fleet join` writes it.',
)

export type FleetConfig = z.infer<typeof fleet>
