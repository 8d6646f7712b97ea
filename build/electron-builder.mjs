import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { product } from './product.mjs'

const updates = process.env.ONWARD_UPDATES
/** where `electron-vite build` put what is packed */
const out = process.env.ONWARD_OUT ?? 'out'

/** Says what is left behind, before the command that undoes it is gone; manual page and license where people look. */
const forFpm = [
  '--before-remove',
  join(import.meta.dirname, 'linux/before-remove.sh'),
  `${resolve(out, 'man/onward.1.gz')}=/usr/share/man/man1/onward.1.gz`,
  `${join(import.meta.dirname, '../LICENSE')}=/usr/share/doc/onward/copyright`,
]

/** The native part of the keychain's library for one kind of system: npm has one for each. */
const keyring = (target) => {
  const folder = `node_modules/@napi-rs/keyring-${target}`
  return [{ from: folder, to: folder }]
}

// How installers are built: `npm run package:dir`, `npm run package`. electron/shell/fuses.test.ts holds the fuses,
// e2e/package-desktop.spec.ts what comes out.
export default {
  appId: product.appId,
  productName: product.title,
  copyright: product.publisher,
  // deb and rpm name a page; whoever publishes says which.
  extraMetadata: {
    homepage: product.homepage,
    // Under Wayland a window finds its icon by the name of this file, under X11 by StartupWMClass.
    desktopName: `${product.desktopProgram}.desktop`,
  },
  directories: { output: 'dist/desktop', buildResources: 'build' },
  // An archive that is checked as a whole. Native parts have to lie beside it, unchecked.
  asar: true,
  asarUnpack: ['node_modules/node-pty/**', 'node_modules/@lydell/node-pty-*/**', 'node_modules/@napi-rs/keyring-*/**'],
  // node-pty comes built for each system as a package of its own.
  npmRebuild: false,
  // What runs, and nothing else: all but node-pty and the keychain's library is bundled.
  files: [
    'package.json',
    'LICENSE',
    'build/icons/*.{png,ico}',
    '!out/**',
    {
      from: out,
      to: 'out',
      filter: [
        'main/*.js',
        'main/package.json',
        '*/licenses.md',
        'preload/*.cjs',
        'renderer/**',
        '!renderer/.vite/**',
        '!**/*.map',
      ],
    },
    // node-pty and its native part for the target, by name: what else is installed here is bundled or builds.
    '!node_modules/**',
    { from: 'node_modules/node-pty', to: 'node_modules/node-pty', filter: ['**/*.js', 'package.json', 'LICENSE'] },
    {
      from: 'node_modules/@lydell/node-pty-${platform}-${arch}',
      to: 'node_modules/@lydell/node-pty-${platform}-${arch}',
    },
    {
      from: 'node_modules/@napi-rs/keyring',
      to: 'node_modules/@napi-rs/keyring',
      filter: ['index.js', 'package.json', 'LICENSE'],
    },
  ],
  // Without it no terminal opens: npm brings the part of the machine it runs on, of others only when asked (--cpu).
  beforePack({ electronPlatformName, arch }) {
    const native = `node_modules/@lydell/node-pty-${electronPlatformName}-${{ 1: 'x64', 3: 'arm64' }[arch]}`
    if (!existsSync(native)) throw new Error(`${native} is not installed, so the package would open no terminal.`)
  },
  protocols: [{ name: product.title, schemes: ['onward'] }],
  // Where new versions are looked for; a package that was told no place looks for none.
  publish: updates ? [{ provider: 'generic', url: updates }] : null,
  linux: {
    files: keyring('linux-${arch}-gnu'),
    // `onward` is the command line; the window has a name of its own.
    executableName: product.desktopProgram,
    target: ['AppImage', 'deb', 'rpm'],
    icon: 'build/icons/linux',
    category: product.category,
    synopsis: product.summary,
    description: product.description,
    maintainer: `${product.publisher} <onward@localhost>`,
    vendor: product.publisher,
    extraResources: [{ from: 'build/linux/onward', to: 'bin/onward' }],
    desktop: {
      entry: {
        Name: product.title,
        GenericName: product.summary,
        StartupWMClass: product.title,
        Keywords: `${product.keywords.join(';')};`,
      },
    },
  },
  deb: {
    recommends: ['libayatana-appindicator3-1 | libappindicator3-1'],
    afterInstall: 'build/linux/after-install.sh',
    afterRemove: 'build/linux/after-remove.sh',
    fpm: forFpm,
  },
  rpm: {
    afterInstall: 'build/linux/after-install.sh',
    afterRemove: 'build/linux/after-remove.sh',
    fpm: forFpm,
  },
  mac: {
    files: keyring('darwin-${arch}'),
    target: [
      { target: 'dmg', arch: ['x64', 'arm64'] },
      // what a Mac updates itself from
      { target: 'zip', arch: ['x64', 'arm64'] },
    ],
    category: 'public.app-category.developer-tools',
    icon: 'build/icons/app-512.png',
    hardenedRuntime: true,
    // In the tray; it comes into the Dock with its window.
    extraResources: [{ from: 'build/mac/onward', to: 'bin/onward' }],
  },
  win: {
    files: keyring('win32-${arch}-msvc'),
    target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
    icon: 'build/icons/app-256.png',
    extraResources: [{ from: 'build/windows/onward.cmd', to: 'bin/onward.cmd' }],
  },
  // For the person alone: nobody is asked for an administrator's password.
  nsis: {
    // Without the blanks of the usual name, which a release would change.
    artifactName: '${productName}-Setup-${version}.${ext}',
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
    // Offers `onward uninstall` before it is gone.
    include: 'build/windows/installer.nsh',
  },
  // Switches in Electron's own program, set before it is signed: nobody can set them again by a variable or an option.
  electronFuses: {
    // On: terminal hosts and background engines are this program run as Node, and outlive the app. Without it agents
    // would end with the window. Whoever can set a variable of the person's programs is the person.
    runAsNode: true,
    // On: NODE_EXTRA_CA_CERTS hangs on it, without which no provider answers behind a company's proxy. Of NODE_OPTIONS
    // a packaged app takes next to nothing.
    enableNodeOptionsEnvironmentVariable: true,
    // Off: an inspector listens on a port of this machine, where any of its users could run code as the person.
    enableNodeCliInspectArguments: false,
    // On, both: no code but that of the archive, and only as it was packaged.
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    // Off: there is no snapshot of our own that would have to be there.
    loadBrowserProcessSpecificV8Snapshot: false,
    // Off: the page comes from the engine over HTTP; no page of a file is ever shown, and none gets more rights.
    grantFileProtocolExtraPrivileges: false,
    // Off: there are no cookies, and it would have the system ask for its keyring at login, before any window.
    enableCookieEncryption: false,
  },
}
