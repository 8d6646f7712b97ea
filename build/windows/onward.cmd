@echo off
rem The command line of an installed Onward: the app's own program, run as Node.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Onward.exe" "%~dp0..\app.asar\out\main\onward.js" %*
exit /b %ERRORLEVEL%
