import { createRoot } from 'react-dom/client'
import { start } from './start.ts'
import { App } from './app.tsx'
import './styles/all.css'

const root = document.getElementById('root')
if (root) createRoot(root).render(<App app={start(window)} />)
