import { createRoot } from 'react-dom/client'
import { start } from './start.ts'
import { App } from './app.tsx'
import { noWords } from './i18n/index.ts'
import './styles/all.css'

const root = document.getElementById('root')
if (root)
  start(window).then(
    (app) => createRoot(root).render(<App app={app} />),
    (error: unknown) => {
      root.textContent = noWords
      throw error
    },
  )
