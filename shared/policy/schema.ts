/** The file in which an organisation writes its rules. */
import { z } from 'zod'
import { providerPresets } from '../config/presets.ts'
import { fleetName, hubUrl } from '../fleet.ts'
import { budgetSettings, type AllowedProvider, type Policy } from './policy.ts'

const models = z.array(z.string().trim().min(1)).min(1).optional()
const presets = providerPresets.map(({ id }) => id)
const provider = z.union([
  z.object({ preset: z.enum(presets), models }).strict(),
  z.object({ address: z.url({ protocol: /^https?$/ }), models }).strict(),
])
const whole = z.number().int().positive()
const number = z.number().positive()

export const policySchema = z
  .object({
    $schema: z.string().optional(),
    organisation: z.string().trim().min(1).max(100).optional(),
    contact: z.string().trim().min(1).max(200).optional(),
    providers: z.array(provider).optional(),
    budgets: z
      .object({ rounds: whole, hours: number, noProgressRounds: whole, tokens: whole, costUsd: number })
      .partial()
      .strict()
      .default({}),
    servertools: z.array(z.string().regex(/^[a-z][a-z0-9_]*$/)).optional(),
    telemetry: z.boolean().default(true),
    phone: z.boolean().default(true),
    fleets: z
      .array(z.object({ url: z.string().regex(hubUrl), name: z.string().regex(fleetName).optional() }).strict())
      .optional(),
  })
  .strict()

/** @param source where it stands, for a person */
export const policyOf = (written: z.infer<typeof policySchema>, source: string): Policy => ({
  organisation: written.organisation ?? null,
  contact: written.contact ?? null,
  source,
  providers: written.providers?.map(allowed) ?? null,
  budgets: Object.fromEntries(
    budgetSettings.flatMap((name) => (written.budgets[name] === undefined ? [] : [[name, written.budgets[name]]])),
  ),
  servertools: written.servertools ?? null,
  telemetry: written.telemetry,
  phone: written.phone,
  fleets: written.fleets?.map(({ url, name }) => ({ url, name: name ?? null })) ?? null,
})

function allowed(provider: z.infer<typeof policySchema>['providers'] extends (infer P)[] | undefined ? P : never) {
  const { models: only = null } = provider
  if ('address' in provider) return { address: provider.address, models: only } satisfies AllowedProvider
  // One vendor has several addresses of one origin: with and without a version, for either protocol.
  const preset = providerPresets.find(({ id }) => id === provider.preset)
  return { address: new URL(preset?.baseUrl ?? 'https://none.invalid').origin, models: only } satisfies AllowedProvider
}
