import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { readText } from '../engine/config/read-text.ts'

const named = z.object({ updates: z.object({ feed: z.string() }) })

/** `updates.feed` of a config file, be the rest of it right or wrong; null: it names none. */
export async function feedInConfig(file: string): Promise<string | null> {
  const { read } = readText(await readFile(file, 'utf8'), null)
  const feed = named.safeParse(read?.value).data?.updates.feed ?? null
  return feed !== null && URL.canParse(feed) ? feed : null
}
