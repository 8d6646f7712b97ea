import { z } from 'zod'

/** As models write it; unknown fields are ignored. */
export const fetchInput = z.object({
  url: z.string().min(1),
  format: z.enum(['text', 'markdown', 'html']).default('markdown').catch('markdown'),
  maxChars: z.coerce.number().int().positive().optional().catch(undefined),
})
export type FetchInput = z.infer<typeof fetchInput>

export const fetchParameters = {
  type: 'object',
  properties: {
    url: { type: 'string', description: 'http or https' },
    format: { type: 'string', enum: ['markdown', 'text', 'html'], description: 'default markdown; html is the source' },
    maxChars: { type: 'integer', description: 'cut after so many characters' },
  },
  required: ['url'],
  additionalProperties: false,
} as const
