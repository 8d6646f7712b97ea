/** The channels' own tools read what they are handed, where they are installed; `.ci/run` brings those of Debian. */
import { spawnSync } from 'node:child_process'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../shared/testing/runs.ts'
import { firstOf, onWindows, unless } from '../../shared/testing/unless.ts'
import { hostileText } from './testing/hostile-text.ts'
import { homepage, releaseFolder, tableOf } from './testing/release-folder.ts'
import { channels, writeChannels } from './write-channels.mjs'

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

const without = (program: string, ...args: string[]) =>
  onWindows ?? (spawnSync(program, args.length > 0 ? args : ['--version']).error ? `${program} is not installed` : null)
const deb = firstOf(without('dpkg-deb'), without('bsdtar'))

const release = releaseFolder()
const folder = mkdtempSync(join(tmpdir(), 'onward-channels-'))
const at = (...path: string[]) => join(folder, ...path)
const said: readonly string[] = fc.sample(hostileText, runs(300))
/** What a channel's file is for each of these texts. */
const withTexts = (channel: keyof typeof channels, file: string): string[] =>
  said.map((text) => {
    const files: Record<string, string> = channels[channel].write(
      tableOf(release, { summary: text, description: text }),
    )
    return files[file] ?? ''
  })

/** @returns what the program printed; it has to end well, and without a word of warning */
function run(program: string, args: readonly string[], { cwd = folder, input = '', env = {} } = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    input,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    maxBuffer: 2 ** 26,
  })
  expect({ status, stderr }, `${program} ${args.join(' ')}\n${stdout}`).toEqual({ status: 0, stderr: '' })
  return stdout
}

beforeAll(() => {
  if (deb === null) makeDeb(join(release, 'onward_0.1.0_amd64.deb'))
  expect(writeChannels(tableOf(release), folder)).toEqual({})
})
afterAll(() => {
  for (const one of [release, folder]) rmSync(one, { recursive: true, force: true })
})

/** What channels take of the real one, as e2e/package-desktop.spec.ts sees it being packed. */
function makeDeb(path: string): void {
  const tree = mkdtempSync(join(tmpdir(), 'onward-deb-'))
  const files = {
    'DEBIAN/control': `Package: onward\nVersion: 0.1.0\nArchitecture: amd64\nMaintainer: A <a@b.c>\nDescription: It\n`,
    'opt/Onward/onward-desktop': '#!/bin/sh\n',
    'opt/Onward/chrome-sandbox': '',
    'opt/Onward/resources/bin/onward': readFileSync('build/linux/onward', 'utf8'),
    'usr/share/man/man1/onward.1.gz': '',
    'usr/share/doc/onward/copyright': '',
    'usr/share/icons/hicolor/256x256/apps/onward-desktop.png': '',
    'usr/share/applications/onward-desktop.desktop': 'Exec=/opt/Onward/onward-desktop %U\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true })
    writeFileSync(join(tree, name), text)
  }
  chmodSync(join(tree, 'opt/Onward/onward-desktop'), 0o755)
  chmodSync(join(tree, 'opt/Onward/resources/bin/onward'), 0o755)
  run('dpkg-deb', ['--root-owner-group', '--build', tree, path])
  rmSync(tree, { recursive: true, force: true })
}

describe('Ruby', unless(without('ruby')), () => {
  it('finds no fault in formula and cask', () => {
    for (const file of ['Formula/onward.rb', 'Casks/onward-app.rb'])
      expect(run('ruby', ['-wc', at('homebrew', file)])).toBe('Syntax OK\n')
  })

  it('reads each text as itself, and runs nothing of it', () => {
    // As much of Homebrew as it takes to hear what a formula and a cask say.
    const brew = `require 'json'; $said = []
      class Formula
        def self.desc(text) = $said << text
        def self.test = nil
        def self.method_missing(*) = nil
      end
      class Cask
        def cask(*) = yield
        def desc(text) = $said << text
        def method_missing(*) = nil
      end
      JSON.parse($stdin.read).each { |text| Cask.new.instance_eval(text) }
      puts JSON.generate($said)`
    const files = [...withTexts('homebrew', 'Formula/onward.rb'), ...withTexts('homebrew', 'Casks/onward-app.rb')]
    expect(JSON.parse(run('ruby', ['-e', brew], { input: JSON.stringify(files) }))).toEqual([...said, ...said])
  })

  it('reads the YAML for winget as it is meant, by the library that winget has as well', () => {
    const files = withTexts('winget', 'Onward.Onward.locale.en-US.yaml')
    const read = `require 'json'; require 'yaml'
      puts JSON.generate(JSON.parse($stdin.read).map { |text| YAML.safe_load(text)['ShortDescription'] })`
    expect(JSON.parse(run('ruby', ['-e', read], { input: JSON.stringify(files) }))).toEqual(said)
  })
})

describe('the PKGBUILD', () => {
  it('is a script in which shellcheck finds nothing', unless(without('shellcheck')), () => {
    expect(run('shellcheck', [at('aur/PKGBUILD')])).toBe('')
  })

  it('says each text as itself, and runs nothing of it', unless(without('bash')), () => {
    const read = 'while IFS= read -r -d "" file; do (eval "$file"; printf "%s\\0" "$pkgdesc"); done'
    const printed = run('bash', ['-c', read], {
      input: withTexts('aur', 'PKGBUILD')
        .map((one) => `${one}\0`)
        .join(''),
    })
    const oneBlank = said.map((text) => text.replaceAll(/\s+/g, ' '))
    expect(printed.split('\0').slice(0, -1)).toEqual(oneBlank)
    for (const [i, file] of withTexts('aur', '.SRCINFO').entries())
      expect(file.split('\n')).toContain(`\tpkgdesc = ${oneBlank[i]}`)
  })

  describe('in makepkg', unless(firstOf(without('makepkg'), without('fakeroot', '-v'), deb)), () => {
    const make = (...args: string[]) => {
      // It refuses root.
      const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
      const to = at('makepkg')
      mkdirSync(to, { recursive: true })
      for (const name of ['PKGBUILD', '.SRCINFO']) cpSync(at('aur', name), join(to, name))
      cpSync(join(release, 'onward_0.1.0_amd64.deb'), join(to, 'onward_0.1.0_amd64.deb'))
      for (const path of [folder, to]) if (user.uid) chownSync(path, user.uid, user.gid)
      const env = { PATH: process.env.PATH, HOME: to, LC_ALL: 'C.UTF-8' }
      return { to, ...spawnSync('makepkg', args, { cwd: to, encoding: 'utf8', env, ...user }) }
    }

    it('is described by its .SRCINFO', () => {
      expect(make('--printsrcinfo').stdout).toBe(readFileSync(at('aur/.SRCINFO'), 'utf8'))
    })

    it('packs app, command, manual page and license from the deb, whose hash it checks', () => {
      const { to, status, stdout, stderr } = make('--nodeps')
      expect(status, stdout + stderr).toBe(0)
      expect(stdout + stderr).toMatch(/onward_0\.1\.0_amd64\.deb \.\.\. Passed/)
      const packed = readdirSync(to).find((name) => name.includes('.pkg.tar')) ?? ''
      expect(run('bsdtar', ['-tf', join(to, packed)]).split('\n')).toEqual(
        expect.arrayContaining([
          'opt/Onward/onward-desktop',
          'usr/bin/onward',
          'usr/share/licenses/onward-bin/LICENSE',
          'usr/share/man/man1/onward.1.gz',
        ]),
      )
      expect(readlinkSync(join(to, 'pkg/onward-bin/usr/bin/onward'))).toBe('/opt/Onward/resources/bin/onward')
    })
  })
})

describe('Nix', unless(without('nix-instantiate')), () => {
  /** As much of nixpkgs as it takes to hear what the package is made of. */
  const stub = `let any = { outPath = "/nowhere"; }; in rec {
    lib = { getLib = x: x; getLicenseFromSpdxId = id: id; sourceTypes.binaryNativeCode = "binary"; };
    stdenv.mkDerivation = x: x; fetchurl = x: x; xorg = builtins.listToAttrs (map (name: { inherit name; value = any; })
    [ "libX11" "libXcomposite" "libXdamage" "libXext" "libXfixes" "libXrandr" "libxcb" ]);
    callPackage = file: more: let f = import file; in
      f (builtins.mapAttrs (name: _: all.\${name} or any) (builtins.functionArgs f) // more);
    all = { inherit lib stdenv fetchurl xorg; }; }`
  const evaluate = (expression: string): unknown => {
    const store = { NIX_STORE_DIR: at('nix-store'), NIX_STATE_DIR: at('nix-state') }
    const args = ['--eval', '--strict', '--json', '-']
    const { status, stdout, stderr } = spawnSync('nix-instantiate', args, {
      input: expression,
      encoding: 'utf8',
      env: { ...process.env, ...store },
    })
    expect(status, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  const inFlake = `(import ${at('nix/flake.nix')}).outputs { nixpkgs.legacyPackages.x86_64-linux = ${stub}; }`

  it('finds the package in the flake, with the deb and its hash', () => {
    expect(evaluate(`(${inFlake}).packages.x86_64-linux.default`)).toMatchObject({
      pname: 'onward',
      version: '0.1.0',
      src: { url: `${homepage}/releases/download/v0.1.0/onward_0.1.0_amd64.deb` },
      meta: { license: 'MIT', mainProgram: 'onward' },
    })
  })

  it('unpacks the deb and puts it where the package has it', unless(deb), () => {
    const { unpackPhase, installPhase } = evaluate(`(${inFlake}).packages.x86_64-linux.default`) as Record<
      string,
      string
    >
    mkdirSync(at('nix-build'))
    // What stdenv has for phases.
    const stdenv = `runHook() { :; }; substituteInPlace() { sed -i "s|$3|$4|" "$1"; }; set -e`
    run('bash', ['-c', `${stdenv}\n${unpackPhase}\n${installPhase}`], {
      cwd: at('nix-build'),
      env: { src: join(release, 'onward_0.1.0_amd64.deb'), out: at('nix-out') },
    })
    expect(statSync(at('nix-out/bin/onward')).mode & 0o111).toBe(0o111)
    expect(statSync(at('nix-out/share/man/man1/onward.1.gz')).isFile()).toBe(true)
    expect(readFileSync(at('nix-out/share/applications/onward-desktop.desktop'), 'utf8')).toBe(
      'Exec=onward-desktop %U\n',
    )
  })

  it('reads each text as itself', () => {
    mkdirSync(at('texts'))
    for (const file of ['package.nix', 'flake.nix'])
      for (const [i, text] of withTexts('nix', file).entries()) writeFileSync(at('texts', `${i}-${file}`), text)
    const all = (file: string) => said.map((_, i) => at('texts', `${i}-${file}`)).join(' ')
    const read = `let nixpkgs = ${stub}; in {
      flakes = map (file: (import file).description) [ ${all('flake.nix')} ];
      packages = map (file: (nixpkgs.callPackage file { }).meta.longDescription) [ ${all('package.nix')} ];
    }`
    expect(evaluate(read)).toEqual({ flakes: said, packages: said })
  })
})

describe('the Flatpak', () => {
  const id = 'dev.onward.Onward'
  it('has a desktop entry without a fault', unless(without('desktop-file-validate')), () => {
    expect(run('desktop-file-validate', [at('flatpak', `${id}.desktop`)])).toBe('')
  })

  it('has a description that AppStream takes', unless(without('appstreamcli')), () => {
    expect(run('appstreamcli', ['validate', '--no-net', at('flatpak', `${id}.metainfo.xml`)])).toContain('successful')
  })

  it('is built of the deb by its own commands', unless(firstOf(deb, without('ar'))), () => {
    const manifest = JSON.parse(readFileSync(at('flatpak', `${id}.json`), 'utf8')) as {
      modules: [
        { 'build-commands': string[]; sources: { type: string; 'dest-filename': string; commands: string[] }[] },
      ]
    }
    const [module] = manifest.modules
    const build = at('flatpak-build')
    mkdirSync(join(build, 'app/share'), { recursive: true })
    cpSync(join(release, 'onward_0.1.0_amd64.deb'), join(build, 'app.deb'))
    for (const name of [`${id}.desktop`, `${id}.metainfo.xml`]) cpSync(at('flatpak', name), join(build, name))
    for (const one of module.sources.filter(({ type }) => type === 'script'))
      writeFileSync(join(build, one['dest-filename']), ['#!/bin/sh', ...one.commands, ''].join('\n'))
    for (const command of module['build-commands'])
      run('sh', ['-ec', command.replaceAll('/app/', `${build}/app/`)], { cwd: build })
    expect(readlinkSync(join(build, 'app/bin/onward'))).toBe(`${build}/app/Onward/resources/bin/onward`)
    for (const path of ['app/bin/onward-desktop', 'app/Onward/onward-desktop', `app/share/applications/${id}.desktop`])
      expect(statSync(join(build, path)).isFile(), path).toBe(true)
  })
})

/** A folder with the schemas that the channels publish, as .github/workflows/release.yml fetches them. */
const schemas = process.env.ONWARD_SCHEMAS ?? ''
describe('the published schema', unless(schemas === '' ? 'ONWARD_SCHEMAS names no folder' : null), () => {
  const yaml = (name: string) => load(readFileSync(at('winget', name), 'utf8'))
  const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
  const entry = (): unknown => ({
    $schema: 'https://www.schemastore.org/schema-catalog.json',
    version: 1,
    schemas: [json(at('schemastore/catalog-entry.json'))],
  })

  it.each<[string, () => unknown]>([
    ['winget.version', () => yaml('Onward.Onward.yaml')],
    ['winget.installer', () => yaml('Onward.Onward.installer.yaml')],
    ['winget.defaultLocale', () => yaml('Onward.Onward.locale.en-US.yaml')],
    ['scoop', () => json(at('scoop/onward.json'))],
    ['flatpak', () => json(at('flatpak/dev.onward.Onward.json'))],
    ['schemastore', entry],
  ])('%s accepts it, and nothing with a wrong kind of value', (name, read) => {
    const ajv = new Ajv({ strict: false, formats: { long: true } })
    addFormats.default(ajv)
    const check = ajv.compile(json(join(schemas, `${name}.json`)) as object)
    const value = read() as Record<string, unknown>
    expect([check(value), check.errors]).toEqual([true, null])
    expect(Object.keys(value).some((key) => !check({ ...value, [key]: { no: 1 } }))).toBe(true)
  })
})
