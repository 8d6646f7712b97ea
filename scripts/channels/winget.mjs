import { dump } from 'js-yaml'

const schema = '1.10.0'

const manifest = (kind, facts) =>
  `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${kind}.${schema}.schema.json\n` +
  dump({ ...facts, ManifestType: kind, ManifestVersion: schema }, { lineWidth: -1 })

function write({ title, publisher, summary, description, keywords, name, version, license, homepage, files }) {
  const id = `${title}.${title}`
  const which = { PackageIdentifier: id, PackageVersion: version }
  // One installer has both programs in it.
  const installer = { InstallerUrl: files.windows.url, InstallerSha256: files.windows.sha256.toUpperCase() }
  const texts = {
    Publisher: publisher,
    PackageName: title,
    PackageUrl: homepage,
    License: license,
    ShortDescription: summary,
    Description: description,
    Moniker: name,
    Tags: keywords,
    ReleaseNotesUrl: `${homepage}/releases/tag/v${version}`,
  }
  return {
    [`${id}.yaml`]: manifest('version', { ...which, DefaultLocale: 'en-US' }),
    [`${id}.installer.yaml`]: manifest('installer', {
      ...which,
      InstallerType: 'nullsoft',
      Scope: 'user',
      UpgradeBehavior: 'install',
      Protocols: [name],
      Installers: ['x64', 'arm64'].map((Architecture) => ({ Architecture, ...installer })),
    }),
    [`${id}.locale.en-US.yaml`]: manifest('defaultLocale', { ...which, PackageLocale: 'en-US', ...texts }),
  }
}

export const winget = { needs: ['windows'], write }
