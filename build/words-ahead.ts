/** Gives the page's first script the names of the files with the words of each language. */
import type { Plugin } from 'vite'
import { languages } from '../shared/words.ts'

const tag = '<script src="./first.js"'

export function wordsAhead(): Plugin {
  return {
    name: 'words-ahead',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return html
        if (!html.includes(tag)) throw new Error(`index.html has no ${tag}`)
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        /** a chunk, and what it imports, in their order */
        const withImports = (name: string, seen = new Set<string>()): Set<string> => {
          if (seen.has(name)) return seen
          seen.add(name)
          for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) withImports(next, seen)
          return seen
        }
        const entry = chunks.find(({ isEntry }) => isEntry)
        const there = entry ? withImports(entry.fileName) : new Set()
        const words = languages.map((language) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/spoken-${language}.ts`))
          if (!chunk) throw new Error(`the build has no words of ${language}`)
          return [
            language,
            [...withImports(chunk.fileName)].filter((name) => !there.has(name)).map((name) => `./${name}`),
          ]
        })
        const text = JSON.stringify(Object.fromEntries(words)).replaceAll('"', '&quot;')
        return html.replace(tag, `${tag} data-words="${text}"`)
      },
    },
  }
}
