import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import packaging from '../../build/electron-builder.mjs'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = (folder: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|testing[\\/]/.test(path))
    .map((path) => read(join(folder, path)))
    .join('\n')

describe('the fuses of the packaged program', () => {
  it('are all decided, those of Electron’s first version of them', () => {
    expect(packaging.asar).toBe(true)
    // @electron/fuses, FuseV1Options
    expect(packaging.electronFuses).toEqual({
      runAsNode: true,
      enableCookieEncryption: false,
      enableNodeOptionsEnvironmentVariable: true,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  // A fuse can be turned off once its use here is gone.
  it('are on only for what needs them', () => {
    expect(read('electron/hosts/node-host.ts')).toContain("ELECTRON_RUN_AS_NODE: '1'")
    expect(sources('electron/engine/providers')).toContain('NODE_EXTRA_CA_CERTS')
  })

  it('are off for what nothing needs', () => {
    expect(sources('electron/shell')).not.toMatch(/loadFile\(|file:\/\//)
    expect(sources('electron/shell') + sources('electron/engine/gateway')).not.toMatch(/\.cookies\b|'set-cookie': /i)
    expect(sources('electron')).not.toMatch(/--inspect/)
  })
})
