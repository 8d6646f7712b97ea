import { shell } from './quote.mjs'

/** Arch has a meaning for `-` in a version. */
const archVersion = (version) => version.replaceAll('-', '_')

const depends = ['alsa-lib', 'gtk3', 'libsecret', 'nss']
const optional = ['libayatana-appindicator: the tray', 'tmux: agents in its panes']

/** The values once; PKGBUILD is a script, .SRCINFO what the archive reads instead of running it. */
const fields = ({ name, version, summary, homepage, license, files }) => ({
  pkgname: `${name}-bin`,
  pkgdesc: summary.replaceAll(/\s+/g, ' '),
  pkgver: archVersion(version),
  pkgrel: '1',
  url: homepage,
  arch: ['x86_64'],
  license: [license],
  depends,
  optdepends: optional,
  provides: [name],
  conflicts: [name],
  noextract: [files.deb.file],
  options: ['!strip', '!debug'],
  source: [files.deb.url],
  sha256sums: [files.deb.sha256],
})

const assignment = ([key, value]) =>
  Array.isArray(value) ? `${key}=(${value.map(shell).join(' ')})` : `${key}=${shell(value)}`

const pkgbuild = ({ name, title, files }, values) => `# shellcheck shell=bash disable=SC2034,SC2154
${Object.entries(values).map(assignment).join('\n')}

package() {
  bsdtar -xOf ${files.deb.file} 'data.tar.*' | bsdtar -xf - -C "$pkgdir"
  install -d "$pkgdir/usr/bin" "$pkgdir/usr/share/licenses/$pkgname"
  ln -s /opt/${title}/resources/bin/${name} "$pkgdir/usr/bin/"
  ln -s /usr/share/doc/${name}/copyright "$pkgdir/usr/share/licenses/$pkgname/LICENSE"
  # Chromium's sandbox where the kernel gives users no namespaces.
  chmod 4755 "$pkgdir/opt/${title}/chrome-sandbox"
}
`

const srcinfo = ({ pkgname, ...rest }) =>
  [
    `pkgbase = ${pkgname}`,
    ...Object.entries(rest).flatMap(([key, value]) => [value].flat().map((one) => `\t${key} = ${one}`)),
    '',
    `pkgname = ${pkgname}`,
    '',
  ].join('\n')

export const aur = {
  needs: ['deb'],
  write: (table) => ({ PKGBUILD: pkgbuild(table, fields(table)), '.SRCINFO': srcinfo(fields(table)) }),
}
