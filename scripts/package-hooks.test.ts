/** What installers run when a program goes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unless } from '../shared/testing/unless.ts'

const build = resolve(import.meta.dirname, '../build')
const noShell = process.platform === 'win32' ? 'no sh on Windows' : null
const noNsis = spawnSync('makensis', ['-VERSION']).status === 0 ? null : 'no makensis here'

describe('before dpkg and rpm remove the package', unless(noShell), () => {
  const run = (...args: string[]) =>
    spawnSync('sh', [join(build, 'linux/before-remove.sh'), ...args], { encoding: 'utf8' })
  it.each(['remove', 'purge', '0'])('(%s) a person is told how agents get their own settings back', (word) => {
    const { status, stdout, stderr } = run(word)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('    onward uninstall\n')
    expect(stdout).toMatch(/keychains, under dev\.onward.*--data/s)
  })
  it.each(['upgrade', 'failed-upgrade', '1', ''])('(%s) nothing is said of what stays', (word) => {
    expect(run(word)).toMatchObject({ status: 0, stdout: '' })
  })
})

describe(`the hooks of the Windows uninstaller${noNsis ? ` (${noNsis})` : ''}`, unless(noNsis), () => {
  it('are understood by NSIS, without a warning', () => {
    const folder = mkdtempSync(join(tmpdir(), 'onward-nsis-'))
    // As electron-builder's templates put them together, without its plugins.
    writeFileSync(
      join(folder, 'hooks.nsi'),
      `Unicode true
!include LogicLib.nsh
!include FileFunc.nsh
!macro _isUpdated _a _b _t _f
  StrCmp $R9 "1" \`\${_t}\` \`\${_f}\`
!macroend
!define isUpdated \`"" isUpdated ""\`
!include "${join(build, 'windows/installer.nsh')}"
Name hooks
OutFile "${join(folder, 'hooks.exe')}"
Section
  WriteUninstaller "$TEMP\\uninstall.exe"
SectionEnd
Function un.onInit
  !insertmacro customUnInit
FunctionEnd
Section un.Uninstall
  !insertmacro customUnInstall
SectionEnd
`,
    )
    const { status, stdout } = spawnSync('makensis', ['-WX', '-V2', join(folder, 'hooks.nsi')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true, force: true })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
})
