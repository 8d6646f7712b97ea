/** The folders of the fake engine's machine. For development and tests only. */
import type { ControlApi } from '../../../shared/operations/index.ts'

const code = ['api-gateway', 'billing-service', 'data-migration', 'docs-site', 'infra-terraform', 'landing-page']
const tree: Readonly<Record<string, readonly string[]>> = {
  '/': ['home', 'srv'],
  '/home': ['me'],
  '/home/me': ['.config', 'code', 'Documents'],
  '/home/me/code': [...code, 'search-indexer'],
  '/home/me/code/billing-service': ['.git', 'migrations', 'src', 'test'],
  '/home/me/Documents': [],
}

export function fakeFolders() {
  return {
    async recentFolders() {
      return code.slice(0, 5).map((name) => `/home/me/code/${name}`)
    },
    async listFolder({ path: wanted, hidden }) {
      const path = wanted === '' ? '/home/me' : wanted.replace(/^~/, '/home/me').replace(/(?<=.)\/$/, '')
      const parent = path === '/' ? null : path.slice(0, path.lastIndexOf('/')) || '/'
      const folders = (tree[path] ?? []).filter((name) => hidden || !name.startsWith('.'))
      return { path, parent, folders, separator: '/', more: false }
    },
  } satisfies Partial<ControlApi>
}
