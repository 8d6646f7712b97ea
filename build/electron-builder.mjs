// Of electron-builder's configuration what must not be forgotten when installers are built (electron-builder --config
// build/electron-builder.mjs): the rest comes with them. electron/shell/fuses.test.ts holds it.
export default {
  // An archive that is checked as a whole. node-pty's native part has to lie beside it, unchecked.
  asar: true,
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
