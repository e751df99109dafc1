import { render } from 'preact';
import { App } from './views/app.js';

const place = document.getElementById('app');
if (place === null) throw new Error('index.html has no place for the dashboard');
render(<App />, place);
