// Renders build/icons/*.svg to the PNG files the desktop app loads. Run by hand after an icon changed; results are kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { chromiumPath } from './test-setup.mjs'

const folder = new URL('../build/icons/', import.meta.url)
/** state -> colour on a light and on a dark panel (design README) */
const tray = {
  idle: ['#60656d', '#a0a3a9'],
  working: ['#1b6cb9', '#67a9f0'],
  'needs-you': ['#b17013', '#f9a63e'],
  paused: ['#60656d', '#aab0ba'],
  error: ['#ce2f36', '#f77571'],
}
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage()

async function render(svg, size, file) {
  await page.setViewportSize({ width: size, height: size })
  const sized = svg.replace(/<svg[^>]*>/, (tag) => tag.replace(/\s(?:width|height)="\d+"/g, '').replace('<svg', `<svg width="${size}" height="${size}"`))
  await page.setContent(`<body style="margin:0;background:transparent">${sized.replace(/<\?xml.*?\?>/, '')}</body>`)
  writeFileSync(new URL(file, folder), await page.locator('svg').screenshot({ omitBackground: true }))
}
const read = (name) => readFileSync(new URL(name, folder), 'utf8')
for (const [state, [light, dark]] of Object.entries(tray)) {
  const svg = read(`tray-${state}.svg`)
  for (const [suffix, size] of [['', 16], ['@2x', 32]]) {
    await render(svg, size, `tray-${state}Template${suffix}.png`)
    await render(svg.replaceAll('#000', light), size, `tray-${state}-light${suffix}.png`)
    await render(svg.replaceAll('#000', dark), size, `tray-${state}-dark${suffix}.png`)
  }
}
for (const size of [32, 256, 512]) await render(read('app.svg'), size, `app-${size}.png`)
await browser.close()
