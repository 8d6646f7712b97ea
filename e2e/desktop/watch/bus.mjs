// The session bus, as a panel and a listener see it.
import { createRequire } from 'node:module'
import { createConnection } from 'node:net'

const library = createRequire(import.meta.url)('@homebridge/dbus-native')

const daemon = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }
export const watcher = { name: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' }
export const notifications = { name: 'org.freedesktop.Notifications', path: '/org/freedesktop/Notifications' }

/** @param address as in DBUS_SESSION_BUS_ADDRESS; a path or an abstract name */
export function openBus(address) {
  const path = /path=([^,;]*)/.exec(address)?.[1]
  const abstract = /abstract=([^,;]*)/.exec(address)?.[1]
  const stream = createConnection(path === undefined ? `\0${abstract}` : decodeURIComponent(path))
  const client = library.createClient({ stream })
  client.connection.on('error', () => undefined)
  const ended = new Promise((done) => stream.once('close', done))
  const call = (message) =>
    new Promise((resolve, reject) => {
      void ended.then(() => reject(new Error('the session bus closed the connection')))
      client.invoke(message, (error, ...body) =>
        error ? reject(new Error(`${message.member}: ${error.message || error.name}`)) : resolve(body),
      )
    })
  const ask = async (member, ...args) =>
    (await call({ ...daemon, member, signature: 's'.repeat(args.length), body: args }))[0]
  return {
    client,
    call,
    close: () => stream.destroy(),
    isOwned: (name) => ask('NameHasOwner', name),
    pidOf: (name) => ask('GetConnectionUnixProcessID', name),
    ownerOf: (name) => ask('GetNameOwner', name),
    property: async (destination, objectPath, iface, name) =>
      valueOf((await call(getCall(destination, objectPath, iface, 'Get', 'ss', [iface, name])))[0]),
    properties: async (destination, objectPath, iface) =>
      membersOf((await call(getCall(destination, objectPath, iface, 'GetAll', 's', [iface])))[0]),
    /** Everything that matches goes by here as well; the connection can ask nothing any more. */
    async monitor(rules, act) {
      client.connection.on('message', act)
      await call({
        ...daemon,
        interface: 'org.freedesktop.DBus.Monitoring',
        member: 'BecomeMonitor',
        signature: 'asu',
        body: [rules, 0],
      })
    },
  }
}

const getCall = (destination, path, iface, member, signature, body) => ({
  destination,
  path,
  interface: 'org.freedesktop.DBus.Properties',
  member,
  signature,
  body,
})

/** The library hands a variant on as its signature and what is in it. */
const valueOf = ([, [value]]) => value
const membersOf = (pairs) => Object.fromEntries(pairs.map(([name, variant]) => [name, valueOf(variant)]))

/** What the desktop offers: whether a panel shows trays, and what shows notifications. */
export async function desktopOn(bus) {
  const hasPanel = await bus.isOwned(watcher.name)
  const showsNotices = await bus.isOwned(notifications.name)
  const ask = (member) =>
    bus.call({ destination: notifications.name, path: notifications.path, interface: notifications.name, member })
  return {
    panel: hasPanel && (await bus.property(watcher.name, watcher.path, watcher.name, 'IsStatusNotifierHostRegistered')),
    notices: showsNotices
      ? { server: (await ask('GetServerInformation'))[0], capabilities: (await ask('GetCapabilities'))[0] }
      : null,
  }
}

/** Where nothing shows trays: takes the panel's place, so that the app has somebody to register with. */
export async function standInPanel(bus) {
  const items = []
  bus.client.exportInterface(
    {
      RegisterStatusNotifierItem(service, message) {
        items.push(service.startsWith('/') ? `${message.sender}${service}` : service)
      },
      RegisterStatusNotifierHost() {},
      get RegisteredStatusNotifierItems() {
        return items
      },
      IsStatusNotifierHostRegistered: true,
      ProtocolVersion: 0,
    },
    watcher.path,
    {
      name: watcher.name,
      methods: { RegisterStatusNotifierItem: ['s', ''], RegisterStatusNotifierHost: ['s', ''] },
      properties: { RegisteredStatusNotifierItems: 'as', IsStatusNotifierHostRegistered: 'b', ProtocolVersion: 'i' },
    },
  )
  const [code] = await bus.call({ ...daemon, member: 'RequestName', signature: 'su', body: [watcher.name, 4] })
  if (code !== 1) throw new Error('a panel came in between')
}

/** The tray of a process as the panel knows it: title, icon and the labels of its menu; null: it has none. */
export async function trayOf(bus, pid) {
  for (const item of await bus.property(watcher.name, watcher.path, watcher.name, 'RegisteredStatusNotifierItems')) {
    // `:1.7/StatusNotifierItem`, or a name alone
    const at = item.indexOf('/')
    const [service, path] = at < 0 ? [item, '/StatusNotifierItem'] : [item.slice(0, at), item.slice(at)]
    if ((await bus.pidOf(service)) !== pid) continue
    const seen = await bus.properties(service, path, 'org.kde.StatusNotifierItem')
    return {
      service,
      title: seen.Title ?? '',
      hasIcon: Boolean(seen.IconName) || (seen.IconPixmap?.length ?? 0) > 0,
      menuPath: seen.Menu,
      menu: await menuOf(bus, service, seen.Menu),
    }
  }
  return null
}

const menuCall = (service, path, member, signature, body) => ({
  destination: service,
  path,
  interface: 'com.canonical.dbusmenu',
  member,
  signature,
  body,
})

async function menuOf(bus, service, path) {
  const [, [, , children]] = await bus.call(menuCall(service, path, 'GetLayout', 'iias', [0, -1, []]))
  return children.map(valueOf).map(([id, pairs]) => {
    const { label = '', 'toggle-state': checked } = membersOf(pairs)
    return { id, label, ...(checked === undefined ? {} : { checked: checked === 1 }) }
  })
}

/** A hand on an entry of the menu, as the panel passes it on. */
export async function clickMenu(bus, tray, label) {
  const entry = tray.menu.find((one) => one.label === label)
  if (!entry) throw new Error(`the tray has no ${label}: ${tray.menu.map((one) => one.label).join(' | ')}`)
  await bus.call(menuCall(tray.service, tray.menuPath, 'Event', 'isvu', [entry.id, 'clicked', ['s', ''], 0]))
}
