// The service worker of an installed page. It shows what the engine pushes (engine/notifications/push writes it), and a
// page of its own where the engine can't be reached. It keeps nothing: each page comes from the engine that runs now,
// and what a browser may keep for ever has a hash in its name.
'use strict'

const scope = self.registration.scope
const chinese = /^zh\b/i.test(self.navigator.language)

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(fetch(event.request).catch(away))
})

function away() {
  const { host } = self.location
  const text = chinese
    ? `现在连不到 ${host} 上的 Onward。每十秒再试一次。`
    : `Onward at ${host} can’t be reached. It is tried again every ten seconds.`
  const page =
    `<!doctype html><html lang="${chinese ? 'zh-CN' : 'en'}"><meta charset="utf-8"><title>Onward</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="10">' +
    '<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui;display:grid;place-content:center;' +
    `min-height:90vh;padding:1rem;text-align:center}</style><p role="status">${text}</p></html>`
  return new Response(page, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
    },
  })
}

self.addEventListener('push', (event) => {
  const { title, body, tag, to, over = false } = event.data.json()
  // Every push has to show something: a question that is over is replaced without a sound.
  const options = { body, tag, icon: `${scope}app-256.png`, data: { to }, silent: over, renotify: !over }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  const { to } = event.notification.data
  event.notification.close()
  event.waitUntil(open(to))
})

/** In the page that is open, where one is. */
async function open(to) {
  const [page] = await self.clients.matchAll({ type: 'window' })
  if (!page) return self.clients.openWindow(`${scope}#${to}`)
  page.postMessage({ to })
  return page.focus()
}
