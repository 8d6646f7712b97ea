/** The app is unpacked from its installer, in which there is an archive for each processor. */
const forProcessor = (processor, { url, sha256 }) => ({
  url: `${url}#/dl.7z`,
  hash: sha256,
  pre_install: [
    `Expand-7zipArchive "$dir\\\`$PLUGINSDIR\\app-${processor}.7z" "$dir"`,
    'Remove-Item "$dir\\`$*", "$dir\\Uninstall*" -Force -Recurse',
  ],
})

function write({ name, title, version, description, homepage, license, files }) {
  const next = `${homepage}/releases/download/v$version/${title}-Setup-$version.exe#/dl.7z`
  const manifest = {
    version,
    description,
    homepage,
    license,
    architecture: { '64bit': forProcessor('64', files.windows), arm64: forProcessor('arm64', files.windows) },
    bin: `resources\\bin\\${name}.cmd`,
    shortcuts: [[`${title}.exe`, title]],
    notes: `Before it is removed, "${name} uninstall" gives agents their own settings back.`,
    checkver: { github: homepage },
    autoupdate: { architecture: { '64bit': { url: next }, arm64: { url: next } } },
  }
  return { [`${name}.json`]: `${JSON.stringify(manifest, null, 4)}\n` }
}

export const scoop = { needs: ['windows'], write }
