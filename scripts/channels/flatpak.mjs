import { desktop, desktopList, xml } from './quote.mjs'

/** No id of a Flatpak may end in `.desktop`. */
const idOf = ({ appId, title }) => appId.replace(/\.desktop$/, `.${title}`)

/** Its home is its own: engines tell by process ids which of them a home belongs to, and those differ in a sandbox. */
const rights = [
  '--share=ipc',
  '--share=network',
  '--socket=fallback-x11',
  '--socket=wayland',
  '--device=dri',
  '--talk-name=org.freedesktop.Notifications',
  '--talk-name=org.freedesktop.secrets',
  '--talk-name=org.kde.StatusNotifierWatcher',
]

const manifest = ({ name, title, desktopProgram, files, ...table }) => {
  const id = idOf({ title, ...table })
  const app = `/app/${title}`
  return {
    id,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': '25.08',
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': '25.08',
    command: desktopProgram,
    'finish-args': [...rights, `--persist=.${name}`],
    'rename-icon': desktopProgram,
    modules: [
      {
        name,
        buildsystem: 'simple',
        'only-arches': ['x86_64'],
        'build-commands': [
          `ar p app.deb "$(ar t app.deb | grep '^data')" > data && tar --extract --file data`,
          `cp -r opt/${title} ${app} && cp -r usr/share/icons usr/share/man /app/share/`,
          `install -Dm755 -t /app/bin ${desktopProgram} && ln -s ${app}/resources/bin/${name} /app/bin/`,
          `install -Dm644 -t /app/share/applications ${id}.desktop`,
          `install -Dm644 -t /app/share/metainfo ${id}.metainfo.xml`,
        ],
        sources: [
          { type: 'file', url: files.deb.url, sha256: files.deb.sha256, 'dest-filename': 'app.deb' },
          {
            type: 'script',
            'dest-filename': desktopProgram,
            commands: [`exec zypak-wrapper ${app}/${desktopProgram} "$@"`],
          },
          { type: 'file', path: `${id}.desktop` },
          { type: 'file', path: `${id}.metainfo.xml` },
        ],
      },
    ],
  }
}

const entry = ({ title, summary, keywords, category, desktopProgram, name, ...table }) => `[Desktop Entry]
Type=Application
Name=${title}
GenericName=${desktop(summary)}
Exec=${desktopProgram} %U
Icon=${idOf({ title, ...table })}
Terminal=false
Categories=${category};
Keywords=${desktopList(keywords)}
MimeType=x-scheme-handler/${name};
StartupWMClass=${title}
`

const metainfo = (table) => `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${idOf(table)}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${table.license}</project_license>
  <name>${table.title}</name>
  <summary>${xml(table.summary)}</summary>
  <developer id="${idOf(table).split('.').slice(0, 2).join('.')}">
    <name>${xml(table.publisher)}</name>
  </developer>
  <description>
    <p>${xml(table.description)}</p>
    <p>Its sandbox shows it no agent of the machine: it serves what asks its proxy, and types into no terminal.</p>
  </description>
  <url type="homepage">${table.homepage}</url>
  <launchable type="desktop-id">${idOf(table)}.desktop</launchable>
  <provides>
    <binary>${table.name}</binary>
  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="${table.version}" date="${table.date}"/>
  </releases>
</component>
`

export const flatpak = {
  needs: ['deb'],
  write: (table) => ({
    [`${idOf(table)}.json`]: `${JSON.stringify(manifest(table), null, 2)}\n`,
    [`${idOf(table)}.desktop`]: entry(table),
    [`${idOf(table)}.metainfo.xml`]: metainfo(table),
  }),
}
