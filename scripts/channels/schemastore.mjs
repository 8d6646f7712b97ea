import { readFileSync } from 'node:fs'

/** Editors know draft-07 best. The config's schema uses nothing that it lacks: channels.test.ts holds that. */
const draft = 'http://json-schema.org/draft-07/schema#'

function write({ name, title }) {
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(new URL('../../shared/config/schema.json', import.meta.url), 'utf8'),
  )
  const url = `https://www.schemastore.org/${name}.json`
  const text = (value) => `${JSON.stringify(value, null, 2)}\n`
  return {
    [`${name}.json`]: text({ $schema: draft, $id: url, title: `${title} config`, ...schema }),
    'catalog-entry.json': text({
      name: `${title} config`,
      description: `Config of ${title}`,
      fileMatch: [`**/.${name}/config.json`],
      url,
    }),
  }
}

export const schemastore = { needs: [], write }
