@echo off
where /q node
if errorlevel 1 (
  echo pulumi-resource-monitoring needs Node 20 or newer, and there is no node on the PATH. Get it: https://nodejs.org>&2
  exit /b 1
)
node "%~dp0start.js" %*
